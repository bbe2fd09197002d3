package io.millrace.api;

import io.millrace.ends.FailureText;
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
 * A call or bulk transfer under way: the future of the answer. The future completes on the
 * transport's executor, and fails with {@link CallException}. Any thread.
 *
 * <p>If the future is completed early, by {@link #cancel}, {@code orTimeout} or in any other way,
 * the transfer ends: the node tells the peer, and drops a late answer. The cancellation of a stage
 * derived from this future does not end the transfer.
 *
 * @param <R> the answer
 */
public abstract class Call<R> extends CompletableFuture<R> {
  static final String ENDED = "its caller wants no more of it";

  /**
   * The headers of the answer; written before the answer, so a thread that sees the answer sees the
   * headers, too.
   */
  private Headers headers = Headers.EMPTY;

  private @Nullable OpenToken late;

  Call() {}

  /** Returns a call that could not begin and has failed with {@code failure}. */
  static <R> Call<R> failed(Throwable failure) {
    Call<R> call =
        new Call<>() {
          @Override
          void end() {
            // No transfer began, so no transfer is to end.
          }

          @Override
          public CausalityToken token() {
            throw new IllegalStateException("the call could not begin", failure);
          }
        };
    call.fail(failure);
    return call;
  }

  /**
   * Returns the token by which other calls wait for this call: see {@link TransferOptions#after}.
   * Returns at once, in every state of the call. For a call begun without {@link
   * TransferOptions#withToken} this method makes the token now. The peer does not know such a
   * token: calls that depend on the token wait at this node.
   *
   * @throws IllegalStateException if the call could not begin, or too many tokens wait for a slot
   */
  public abstract CausalityToken token();

  /** Returns a token that ends with this call. */
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
        var _ = whenComplete((value, failure) -> end(ending, failure));
      }
      return made.token();
    }
  }

  /** Ends a token with the end of its transfer. */
  static void end(OpenToken token, @Nullable Throwable failure) {
    if (failure == null) {
      token.end(true);
    } else {
      token.fail(FailureText.of(failure));
    }
  }

  /**
   * Ends the transfer because the caller no longer wants the answer; does nothing if the transfer
   * has ended.
   */
  abstract void end();

  /** Completes the call with this answer. */
  final void answer(R value) {
    super.complete(value);
  }

  /** Completes the call with this answer and these headers. */
  final void answer(byte[] block, R value) {
    headers = Headers.decode(block);
    super.complete(value);
  }

  /** Fails the call with this failure. */
  final void fail(Throwable failure) {
    super.completeExceptionally(failure);
  }

  /**
   * Returns the answer with its headers; the stage completes and fails as this call does, with the
   * same exception.
   */
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

  /**
   * A stage derived from a call: threads wait for the stage as for the call, but the completion of
   * the stage ends no transfer.
   */
  private static final class Derived<U> extends Call<U> {
    @Override
    void end() {
      // The call goes on.
    }

    @Override
    public CausalityToken token() {
      throw new IllegalStateException(
          "this stage was derived from a call; only the call has a token");
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
