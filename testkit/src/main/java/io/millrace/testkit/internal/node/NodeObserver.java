package io.millrace.testkit.internal.node;

import io.millrace.engine.TransportPool;
import org.apache.pekko.event.Logging;

/**
 * Sees the transports, messages and lives of a cluster's nodes. Must change nothing. Simulation
 * thread only.
 */
public interface NodeObserver {
  /** A transport was started in a life of a node, without a path so far. */
  default void onPoolStarted(NodeLife life, TransportPool pool) {}

  /** A message was sent to a dead actor. */
  default void onDeadLetter(NodeLife life, Object message, String recipient) {}

  /** Somebody wrote an error into the log of the actor system; its source has an actor's path. */
  default void onLoggedError(NodeLife life, Logging.Error error) {}

  /** A life is over: the node crashed, or the run ends. */
  default void onLifeEnded(NodeLife life) {}
}
