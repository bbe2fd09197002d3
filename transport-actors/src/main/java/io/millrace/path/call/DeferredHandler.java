package io.millrace.path.call;

import io.millrace.ends.ExecutorLane;
import org.jspecify.annotations.Nullable;

/** Answers a call that was taken out of the worker's hands. */
public interface DeferredHandler {
  /** Where it runs; the same for all calls. */
  ExecutorLane lane();

  /**
   * Called on the lane's executor; one of the answers of {@code answer} follows. The call is to be
   * read in this method only, and before it is answered.
   */
  void onCall(DeferredCall call, DeferredAnswer answer);

  /**
   * What {@link #onCall} had hear of its end with the answer as its {@link
   * java.util.function.BiConsumer} has ended; one of the two is null. Any thread.
   */
  default void onEnd(
      DeferredAnswer answer, @Nullable Object response, @Nullable Throwable failure) {
    throw new UnsupportedOperationException("nothing was to be heard of");
  }

  /** The same has ended once more: a fault of the application, which changes nothing. */
  default void onRepeated(DeferredAnswer answer) {}

  /**
   * The caller of a call that {@link DeferredAnswer#awaits} this gave it up, or has gone. On the
   * lane's executor.
   */
  default void onAbandoned(Object work) {
    throw new UnsupportedOperationException("nothing was awaited");
  }
}
