package io.millrace.path.packet;

/** An authenticated peer sent what the protocol does not allow; its path ends. */
public final class ProtocolViolationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says in one sentence what was not allowed. */
  public ProtocolViolationException(String message) {
    super(message);
  }
}
