package io.millrace.worker;

/** No path to a peer came about; the message says why. */
public final class ConnectFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure, without a stack trace of the worker. */
  public ConnectFailedException(String message) {
    super(message, null, false, false);
  }
}
