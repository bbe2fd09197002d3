package io.millrace.testkit.sim.node;

import io.millrace.actor.pool.TransportPool;

/** Sees what nodes of a cluster start. Must change nothing. Simulation thread only. */
public interface NodeObserver {
  /** A transport was started in a life of a node; it has no path yet. */
  default void onPoolStarted(NodeLife life, TransportPool pool) {}

  /** A message was sent to an actor that does not live any more. */
  default void onDeadLetter(NodeLife life, Object message, String recipient) {}

  /** A life is over: it crashed, or its run ends. */
  default void onLifeEnded(NodeLife life) {}
}
