package io.millrace.api;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What a handler returned, when its caller gives the call up. */
final class HandlerFuture {
  private HandlerFuture() {}

  /** Whether it can be cancelled; a minimal stage hides how it ends, and is left alone. */
  static boolean isOpen(CompletionStage<?> answer) {
    try {
      return answer instanceof CompletableFuture<?> future && !future.isDone();
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }

  /** Cancels one that is open. */
  static void cancel(CompletionStage<?> answer) {
    try {
      answer.toCompletableFuture().cancel(false);
    } catch (UnsupportedOperationException e) {
      // The handler hides how its stage ends: its answer is dropped when it comes.
      return;
    }
  }
}
