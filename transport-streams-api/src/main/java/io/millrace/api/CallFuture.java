package io.millrace.api;

import java.util.concurrent.CompletableFuture;

/**
 * A future of a call that ends the call when the application completes it first: by cancelling it,
 * by {@code orTimeout}, or in any other way. Any thread.
 */
abstract class CallFuture<T> extends CompletableFuture<T> {
  static final String ENDED = "its caller wants no more of it";

  /** The call is not wanted any more; does nothing if it has ended. */
  protected abstract void end();

  /** The call has ended so. */
  final void answer(T value) {
    super.complete(value);
  }

  /** The call has failed so. */
  final void fail(Throwable failure) {
    super.completeExceptionally(failure);
  }

  @Override
  public final boolean cancel(boolean mayInterruptIfRunning) {
    boolean wasDone = isDone();
    boolean isCancelled = super.cancel(mayInterruptIfRunning);
    if (!wasDone) {
      end();
    }
    return isCancelled;
  }

  @Override
  public final boolean complete(T value) {
    boolean isFirst = super.complete(value);
    if (isFirst) {
      end();
    }
    return isFirst;
  }

  @Override
  public final boolean completeExceptionally(Throwable failure) {
    boolean isFirst = super.completeExceptionally(failure);
    if (isFirst) {
      end();
    }
    return isFirst;
  }
}
