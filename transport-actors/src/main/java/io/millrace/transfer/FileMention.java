package io.millrace.transfer;

/**
 * A failure whose message names a file by its path, for who runs this node. {@link FailureText}
 * tells others the last name in its place.
 */
public interface FileMention {
  /** The path, exactly as the message has it. */
  String file();
}
