package io.millrace.api.many;

import io.millrace.api.Call;
import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.transfer.CallOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One request under way to several peers, each call with an answer or a failure of its own. Any
 * thread. A quorum does not wait for the slowest peer:
 *
 * <pre>{@code
 * ManyCalls.unary(peers, VOTE, ballot, TransferOptions.DEFAULTS.withDeadline(second))
 *     .quorum(2, Rest.CANCEL)
 *     .thenAccept(votes -> ...);
 * }</pre>
 *
 * <p>For a payload of megabytes, seal the payload once and send the payload by {@link
 * io.millrace.api.Transport#broadcast}.
 *
 * @param <R> the answer of one peer
 */
public final class ManyCalls<R> {
  private final List<Peer> peers;
  private final List<Call<R>> calls;

  private ManyCalls(List<Peer> peers, List<Call<R>> calls) {
    this.peers = peers;
    this.calls = calls;
  }

  /**
   * Calls each of the peers with the same request and the same options; a peer listed twice is
   * called twice. The priority, deadline and token of each call are the call's own.
   */
  public static <Q, R> ManyCalls<R> unary(
      List<Peer> peers, Route<Q, R> route, Q request, TransferOptions options) {
    List<Peer> called = List.copyOf(Objects.requireNonNull(peers, "peers"));
    List<Call<R>> calls = new ArrayList<>(called.size());
    for (Peer peer : called) {
      calls.add(peer.unary(route, request, options));
    }
    return new ManyCalls<>(called, List.copyOf(calls));
  }

  /** Returns the calls, in the order of the peers. */
  public List<Call<R>> calls() {
    return calls;
  }

  /**
   * Completes with the answer or the failure of each call, in the order of the peers, when the last
   * call has ended; never fails.
   */
  public CompletableFuture<List<PeerAnswer<R>>> all() {
    return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
        .handle(
            (_, _) -> {
              List<PeerAnswer<R>> answers = new ArrayList<>(calls.size());
              for (int i = 0; i < calls.size(); i++) {
                answers.add(ended(i));
              }
              return List.copyOf(answers);
            });
  }

  private PeerAnswer<R> ended(int index) {
    Call<R> call = calls.get(index);
    return call.isCompletedExceptionally()
        ? new PeerAnswer<>(peers.get(index), null, failureOf(peers.get(index), call))
        : new PeerAnswer<>(peers.get(index), call.resultNow(), null);
  }

  private static CallException failureOf(Peer peer, Call<?> call) {
    Throwable failure = call.isCancelled() ? null : call.exceptionNow();
    return failure instanceof CallException known
        ? known
        : new CallException(
            CallOutcome.CANCELLED,
            "the call to "
                + peer.address()
                + (failure == null ? " was cancelled" : " ended early: " + failure));
  }

  /**
   * Completes as soon as {@code needed} peers have answered, with these answers in the order of
   * their arrival, and fails with {@link QuorumException} as soon as too few calls are left to
   * reach the number. A quorum that the application completes or cancels itself has its result,
   * too.
   *
   * @param rest the fate of the calls that are open then
   * @throws IllegalArgumentException if {@code needed} is not 1 to the number of peers
   */
  public CompletableFuture<List<PeerAnswer<R>>> quorum(int needed, Rest rest) {
    Objects.requireNonNull(rest, "rest");
    if (needed < 1 || needed > calls.size()) {
      throw new IllegalArgumentException(
          "a quorum of " + needed + " is not within 1 to " + calls.size());
    }
    Count count = new Count(needed);
    if (rest == Rest.CANCEL) {
      var _ = count.result.whenComplete((_, _) -> cancel());
    }
    for (int i = 0; i < calls.size(); i++) {
      int index = i;
      var _ = calls.get(i).whenComplete((_, _) -> count.onEnded(ended(index)));
    }
    return count.result;
  }

  /** Cancels every call that has not ended. */
  public void cancel() {
    for (Call<R> call : calls) {
      var _ = call.cancel(true);
    }
  }

  /** The ends so far. The calls end on several threads. */
  private final class Count {
    private final CompletableFuture<List<PeerAnswer<R>>> result = new CompletableFuture<>();
    private final ConcurrentLinkedQueue<PeerAnswer<R>> answers = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<CallException> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final int needed;

    Count(int needed) {
      this.needed = needed;
    }

    void onEnded(PeerAnswer<R> ended) {
      CallException failure = ended.failure().orElse(null);
      if (failure == null) {
        answers.add(ended);
        if (answered.incrementAndGet() == needed) {
          result.complete(answers.stream().limit(needed).toList());
        }
      } else {
        failures.add(failure);
        if (failed.incrementAndGet() == calls.size() - needed + 1) {
          result.completeExceptionally(
              new QuorumException(needed, calls.size(), List.copyOf(failures)));
        }
      }
    }
  }
}
