package io.millrace.testkit.cluster;

/** A cluster failed to do a request of the test; the message names the nodes and says why. */
public final class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with a message for a person. */
  public ClusterException(String message) {
    super(message);
  }

  /** Creates an exception with another exception as its cause. */
  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
