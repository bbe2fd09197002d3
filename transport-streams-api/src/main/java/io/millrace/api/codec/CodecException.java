package io.millrace.api.codec;

/**
 * A message could not be encoded or decoded. Handlers get the exception as the failure of a peer's
 * streamed requests; callers get {@link io.millrace.api.CallException}.
 */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the failure with a message for the failed step; {@code cause} is the exception of the
   * codec.
   */
  public CodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
