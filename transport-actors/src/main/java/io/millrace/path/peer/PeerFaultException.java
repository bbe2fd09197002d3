package io.millrace.path.peer;

/** The handling of one peer threw; makes its actor restart. */
public final class PeerFaultException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Wraps what was thrown while the peer was handled. */
  public PeerFaultException(String peer, Throwable fault) {
    super("handling the peer " + peer + " failed: " + fault, fault);
  }
}
