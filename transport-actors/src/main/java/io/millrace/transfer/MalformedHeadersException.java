package io.millrace.transfer;

/** A peer's headers are not what {@link Headers} encodes; its transfer fails with this text. */
public final class MalformedHeadersException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong with them. */
  public MalformedHeadersException(String message) {
    super(message);
  }
}
