package io.millrace.testkit.sim;

/** The program of a node, run from the beginning of each of its lives. */
@FunctionalInterface
public interface Program {
  /**
   * Begins the node's present life: starts a transport with {@link SimNode#environment()}, or an
   * actor in {@link SimNode#system()}. Runs as the node.
   *
   * @throws Exception fails the run, unless the life ended meanwhile
   */
  void start(SimNode node) throws Exception;

  /**
   * Ends the node's present life in order: closes everything that {@link #start} began, and returns
   * when all is closed. Callers that wait for a request of this node are to be told. Runs as the
   * node; the default closes all transports of this life.
   *
   * @throws Exception fails the run, unless the life ended meanwhile
   */
  default void stop(SimNode node) throws Exception {
    node.closeTransports();
  }
}
