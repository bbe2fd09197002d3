package io.millrace.path.call;

import io.millrace.ends.ExecutorLane;
import org.jspecify.annotations.Nullable;

/** Answers a call taken out of the worker's hands. */
public interface DeferredHandler {
  /** The lane of the handler; the same lane for all calls. */
  ExecutorLane lane();

  /**
   * Called on the lane's executor; a call of one of {@code answer}'s methods follows. The handler
   * reads the call in this method only, and before the answer.
   */
  void onCall(DeferredCall call, DeferredAnswer answer);

  /**
   * Work started in {@link #onCall}, with the answer as the {@link java.util.function.BiConsumer}
   * for its end, has ended; either the response or the failure is null. Any thread may call this.
   */
  default void onEnd(
      DeferredAnswer answer, @Nullable Object response, @Nullable Throwable failure) {
    throw new UnsupportedOperationException("the handler started no work");
  }

  /** The same work has ended once more: a fault of the application, without effect. */
  default void onRepeated(DeferredAnswer answer) {}

  /**
   * The caller gave the call up, or has gone, while the answer waited for this work through {@link
   * DeferredAnswer#awaits}. On the lane's executor.
   */
  default void onAbandoned(Object work) {
    throw new UnsupportedOperationException("the handler awaits no work");
  }
}
