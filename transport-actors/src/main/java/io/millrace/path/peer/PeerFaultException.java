package io.millrace.path.peer;

/** The handling of one peer threw; makes the peer's actor restart. */
public final class PeerFaultException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Wraps an exception in the handling of the peer. */
  public PeerFaultException(String peer, Throwable fault) {
    super("handling the peer " + peer + " failed: " + fault, fault);
  }
}
