package io.millrace.testkit.sim;

import io.millrace.node.NodeWorld;
import java.util.concurrent.Callable;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * A simulated node: it boots, crashes, stands still and boots again as another incarnation. Its
 * clock goes on through all of that. Simulation thread only.
 */
public interface SimNode {
  /** Its number. */
  int number();

  /** Its name. */
  String name();

  /** Whether it is up. */
  boolean isUp();

  /** Lives that it has had, the present one included. */
  int incarnation();

  /** Until when it stands still; not after now if it does not. */
  long pausedUntilNs();

  /** What transports of the present life are started with. */
  NodeWorld environment();

  /** Closes all transports of the present life; returns when they are closed. */
  void closeTransports();

  /** The present life's actor system. */
  ActorSystem<?> system();

  /**
   * Runs a scenario's code as if the node did: what it draws and what time it sees are the node's.
   *
   * @throws Exception whatever the code throws
   */
  <T> T call(Callable<T> code) throws Exception;
}
