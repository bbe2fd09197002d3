package io.millrace.testkit.internal.node;

import io.millrace.engine.TransportPool;
import org.apache.pekko.event.Logging;

/** Sees what nodes of a cluster start. Must change nothing. Simulation thread only. */
public interface NodeObserver {
  /** A transport was started in a life of a node; it has no path yet. */
  default void onPoolStarted(NodeLife life, TransportPool pool) {}

  /** A message was sent to an actor that does not live any more. */
  default void onDeadLetter(NodeLife life, Object message, String recipient) {}

  /** Somebody wrote an error into the log of the actor system; its source has an actor's path. */
  default void onLoggedError(NodeLife life, Logging.Error error) {}

  /** A life is over: it crashed, or its run ends. */
  default void onLifeEnded(NodeLife life) {}
}
