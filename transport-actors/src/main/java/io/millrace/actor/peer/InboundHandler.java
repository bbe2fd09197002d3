package io.millrace.actor.peer;

/** Serves one route on the worker's thread; never blocks. */
@FunctionalInterface
public interface InboundHandler {
  /** A request arrived; it is answered or deferred before this method returns. */
  void onCall(InboundCall call);
}
