package io.millrace.transfer;

/**
 * A failure whose message names a file by the file's path, for the operator of this node. Other
 * nodes are told the last name of the path instead of the path.
 */
public interface FileMention {
  /** The path, exactly as the message has the path. */
  String file();
}
