package io.millrace.testkit.cluster;

/** A cluster did not do what was asked of it; the message names the nodes and says why. */
public final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates one with a message for a person. */
  public ClusterException(String message) {
    super(message);
  }

  /** Creates one that something else caused. */
  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
