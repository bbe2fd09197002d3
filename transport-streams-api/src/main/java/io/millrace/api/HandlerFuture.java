package io.millrace.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Cancels the stage that a handler returned, when the caller gives the call up. */
final class HandlerFuture {
  private HandlerFuture() {}

  /**
   * Whether the stage can be cancelled; a minimal stage hides its end, and the node leaves such a
   * stage alone.
   */
  static boolean isOpen(CompletionStage<?> answer) {
    try {
      return answer instanceof CompletableFuture<?> future && !future.isDone();
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }

  /** Cancels an open stage. */
  static void cancel(CompletionStage<?> answer) {
    try {
      answer.toCompletableFuture().cancel(false);
    } catch (UnsupportedOperationException e) {
      // The handler hides the end of its stage: the node drops the answer on arrival.
      return;
    }
  }
}
