package io.millrace.api;

import io.millrace.transfer.Headers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A call or bulk transfer under way: the future of its answer. It completes on the transport's
 * executor, and fails with {@link CallException}. Any thread.
 *
 * <p>Who completes it first, by {@link #cancel}, {@code orTimeout} or in any other way, ends the
 * transfer: the peer is told, and an answer that comes all the same is dropped. To cancel a stage
 * that was derived from it ends nothing.
 *
 * @param <R> the answer
 */
public abstract class Call<R> extends CompletableFuture<R> {
  static final String ENDED = "its caller wants no more of it";

  /** Written ahead of the answer, so that whoever sees that sees them. */
  private Headers headers = Headers.EMPTY;

  Call() {}

  /** A call that could not be begun. */
  static <R> Call<R> failed(Throwable failure) {
    Call<R> call =
        new Call<>() {
          @Override
          void end() {
            // Nothing was begun.
          }
        };
    call.fail(failure);
    return call;
  }

  /** The call is not wanted any more; does nothing if it has ended. */
  abstract void end();

  /** The call has ended so. */
  final void answer(R value) {
    super.complete(value);
  }

  /** The call has ended so, with these headers. */
  final void answer(byte[] block, R value) {
    headers = Headers.decode(block);
    super.complete(value);
  }

  /** The call has failed so. */
  final void fail(Throwable failure) {
    super.completeExceptionally(failure);
  }

  /**
   * The answer with its headers; completes when this does. Like every stage that is derived from a
   * call it fails with a {@link java.util.concurrent.CompletionException}, whose cause is the
   * {@link CallException}.
   */
  public final CompletionStage<Response<R>> response() {
    return thenApply(value -> new Response<>(value, headers));
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
  public final boolean complete(R value) {
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
