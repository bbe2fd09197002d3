package io.millrace.actor.peer;

/** An authenticated peer sent what the protocol does not allow; its path ends. */
final class ProtocolViolationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProtocolViolationException(String message) {
    super(message);
  }
}
