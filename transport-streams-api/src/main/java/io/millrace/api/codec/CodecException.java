package io.millrace.api.codec;

/**
 * A message could not be encoded or decoded. Handlers see it as the failure of the requests that a
 * peer streams; callers see {@link io.millrace.api.CallException}.
 */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what could not be done; {@code cause} is what the codec threw. */
  public CodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
