package io.millrace.actor.peer;

/** Answers a call that was taken out of the worker's hands. */
@FunctionalInterface
public interface DeferredHandler {
  /**
   * Called on the lane's executor; {@link DeferredCall#answer} or {@link DeferredCall#fail} follow.
   */
  void onCall(DeferredCall call);
}
