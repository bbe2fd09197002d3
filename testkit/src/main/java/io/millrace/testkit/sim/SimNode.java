package io.millrace.testkit.sim;

import io.millrace.node.NodeWorld;
import java.util.concurrent.Callable;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * A simulated node: boots, crashes, stands still and boots again as another incarnation. The node's
 * clock goes on through all its lives. Simulation thread only.
 */
public interface SimNode {
  /** Its number. */
  int number();

  /** Its name. */
  String name();

  /** Whether the node is up. */
  boolean isUp();

  /** Number of lives of the node so far, the present life included. */
  int incarnation();

  /** Time until which the node stands still; not after now if the node runs. */
  long pausedUntilNs();

  /** The environment for the transports of the present life. */
  NodeWorld environment();

  /** Closes all transports of the present life; returns when all are closed. */
  void closeTransports();

  /** The present life's actor system. */
  ActorSystem<?> system();

  /**
   * Runs code of a scenario as if the node ran this code: random numbers and time are the node's.
   *
   * @throws Exception whatever the code throws
   */
  <T> T call(Callable<T> code) throws Exception;
}
