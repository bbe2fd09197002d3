package io.millrace.api;

import io.millrace.loop.BlockingRefusedException;
import io.millrace.path.call.PeerCall;
import io.millrace.path.causality.CausalCall;
import io.millrace.path.causality.CausalityGroup;
import io.millrace.path.causality.OpenToken;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

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

  private @Nullable OpenToken late;

  Call() {}

  /** A call that could not be begun. */
  static <R> Call<R> failed(Throwable failure) {
    Call<R> call =
        new Call<>() {
          @Override
          void end() {
            // Nothing was begun.
          }

          @Override
          public CausalityToken token() {
            throw new IllegalStateException("the call could not be begun", failure);
          }
        };
    call.fail(failure);
    return call;
  }

  /**
   * What others name to wait for this: see {@link TransferOptions#after}. At once, whatever becomes
   * of the call. If it was begun without {@link TransferOptions#withToken} one is made now, of
   * which the peer knows nothing: what waits for it waits at this node.
   *
   * @throws IllegalStateException if the call could not be begun, or too many wait for a slot
   */
  public abstract CausalityToken token();

  /** A token that ends with this. */
  final CausalityToken tokenOf(@Nullable PeerCall call, CausalityGroup group) {
    CausalCall part = call == null ? null : call.causal();
    if (part != null) {
      return part.token();
    }
    synchronized (this) {
      OpenToken made = late;
      if (made == null) {
        made = new OpenToken(group);
        late = made;
        OpenToken ending = made;
        ending.send();
        var _ = whenComplete((value, failure) -> ending.end(failure == null));
      }
      return made.token();
    }
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

  /** The answer with its headers; completes and fails as this does, with the same exception. */
  public final CompletionStage<Response<R>> response() {
    CompletableFuture<Response<R>> response = new CompletableFuture<>();
    var _ =
        whenComplete(
            (value, failure) -> {
              if (failure == null) {
                response.complete(new Response<>(value, headers));
              } else {
                response.completeExceptionally(failure);
              }
            });
    return response.minimalCompletionStage();
  }

  @Override
  public final <U> CompletableFuture<U> newIncompleteFuture() {
    return new Derived<>();
  }

  /** A stage that was derived from a call: threads wait for it as for that, and it ends nothing. */
  private static final class Derived<U> extends Call<U> {
    @Override
    void end() {
      // The call goes on.
    }

    @Override
    public CausalityToken token() {
      throw new IllegalStateException("this was derived from a call; the call has the token");
    }
  }

  private void checkWait() {
    if (!isDone()) {
      BlockingRefusedException.check();
    }
  }

  @Override
  public final R get() throws InterruptedException, ExecutionException {
    checkWait();
    return super.get();
  }

  @Override
  public final R get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    checkWait();
    return super.get(timeout, unit);
  }

  @Override
  public final R join() {
    checkWait();
    return super.join();
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
