package io.millrace.path.packet;

/** An authenticated peer broke the protocol; the path of the peer ends. */
public final class ProtocolViolationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Names the violation in one sentence. */
  public ProtocolViolationException(String message) {
    super(message);
  }
}
