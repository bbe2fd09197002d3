package io.millrace.actor.call;

import io.millrace.actor.submission.ExecutorLane;
import org.jspecify.annotations.Nullable;

/** Answers a call that was taken out of the worker's hands. */
public interface DeferredHandler {
  /** Where it runs; the same for all calls. */
  ExecutorLane lane();

  /**
   * Called on the lane's executor; {@link DeferredCall#answer} or {@link DeferredCall#fail} follow.
   */
  void onCall(DeferredCall call);

  /**
   * What {@link #onCall} had hear of its end with the call as its {@link
   * java.util.function.BiConsumer} has ended; one of the two is null. Any thread.
   */
  default void onEnd(DeferredCall call, @Nullable Object response, @Nullable Throwable failure) {
    throw new UnsupportedOperationException("nothing was to be heard of");
  }

  /**
   * The caller of a call that {@link DeferredCall#awaits} this gave it up, or has gone. On the
   * lane's executor.
   */
  default void onAbandoned(Object work) {
    throw new UnsupportedOperationException("nothing was awaited");
  }
}
