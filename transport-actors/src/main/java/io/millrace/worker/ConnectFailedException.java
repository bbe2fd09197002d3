package io.millrace.worker;

/** There is no path to a peer; the message says why. */
public final class ConnectFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the failure; it carries no stack trace of the worker. */
  public ConnectFailedException(String message) {
    super(message, null, false, false);
  }
}
