package io.millrace.transfer;

/**
 * A peer's headers are not in the encoding of {@link Headers}; the transfer fails with this text.
 */
public final class MalformedHeadersException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception; the message says where the headers are malformed. */
  public MalformedHeadersException(String message) {
    super(message);
  }
}
