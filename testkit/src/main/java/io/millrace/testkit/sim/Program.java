package io.millrace.testkit.sim;

/** What a node runs, from the beginning of each of its lives. */
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
   * Ends the node's present life in order: closes whatever {@link #start} began, and returns when
   * it is closed. Whoever waits for something that this node asked for is to be told. Runs as the
   * node; closes all transports of this life if it is not overridden.
   *
   * @throws Exception fails the run, unless the life ended meanwhile
   */
  default void stop(SimNode node) throws Exception {
    node.closeTransports();
  }
}
