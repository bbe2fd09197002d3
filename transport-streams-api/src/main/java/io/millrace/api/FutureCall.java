package io.millrace.api;

import io.millrace.api.codec.CodecException;
import io.millrace.body.SharedPayload;
import io.millrace.buffer.BlockPool;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.FailureText;
import io.millrace.ends.LaneTask;
import io.millrace.ends.TaskSubmission;
import io.millrace.ends.retry.RetryBudgets;
import io.millrace.ends.retry.RetryRoom;
import io.millrace.path.call.PeerCall;
import io.millrace.path.call.RequestBody;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.RetryPolicy;
import io.millrace.wire.PeerText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A call that completes its future on the executor. The worker copies the response into a block of
 * its pool and hands the call over. The executor copies the bytes out and gives the block back, so
 * the worker allocates nothing. A call has a place in the lane as soon as the worker has taken or
 * refused the call. The lane therefore cannot refuse the completion for lack of places. A call that
 * depends on other calls takes its place when the last of these calls has released it. With an
 * earlier place, the dependent call might occupy the very place for which the other calls wait. A
 * call that waits for its peer to be ready gives its place back, and takes a place when it goes on:
 * a lost peer leaves the calls to other peers their places.
 *
 * <p>A call with a policy for retries is an attempt: after a failure, another call with the same
 * future, request and answer may follow, at once at another peer or after a pause.
 */
class FutureCall<R> extends PeerCall implements LaneTask {
  /**
   * Decodes a response for the caller. On the executor, or a stream's thread.
   *
   * @param <R> the decoded response
   */
  @FunctionalInterface
  interface Answer<R> {
    /**
     * Returns the caller's answer; the arrays belong to the answer.
     *
     * @throws CodecException if the response cannot be decoded
     */
    R of(byte[] headers, byte[] payload);

    /** The name of the route, for the texts of failures; empty if unknown. */
    default String route() {
      return "";
    }

    /** Receives the call's token; returns the token. */
    default CausalityToken named(CausalityToken token) {
      return token;
    }

    /**
     * An attempt has failed, and another attempt follows after a pause.
     *
     * @param attempt the number of the next attempt, from 2
     */
    default void onRetry(int attempt, CallOutcome failed, Duration pause) {}
  }

  /**
   * The means for further attempts of the calls to a peer.
   *
   * @param handle the peer's present handle
   * @param budgets the retries that calls to the peer may make
   * @param room where calls wait for their next attempt
   * @param others the same for the peers that calls go to after this peer
   */
  record Retries(
      Supplier<PeerHandle> handle, RetryBudgets budgets, RetryRoom room, List<Retries> others) {
    /** Returns the peer of an attempt: the next in the line that takes calls, if one does. */
    private Retries of(int attempt) {
      for (int skipped = 0; skipped < size(); skipped++) {
        Retries next = at(attempt + skipped);
        if (size() == 1 || next.handle.get().health().state().takesCalls()) {
          return next;
        }
      }
      return at(attempt);
    }

    private Retries at(int attempt) {
      int place = attempt % size();
      return place == 0 ? this : others.get(place - 1);
    }

    private int size() {
      return others.size() + 1;
    }
  }

  private static final byte[] NO_BYTES = {};
  private static final CallOutcome[] OUTCOMES = CallOutcome.values();
  private static final byte UNPLACED = 0;
  private static final byte PLACED = 1;
  private static final byte GIVEN_BACK = 2;

  private final Ending<R> future;
  private final SubmissionPort port;
  private final ExecutorLane lane;
  private final Answer<R> answer;

  /** Ordinal of the outcome: a reference would be four times as long. */
  private byte outcome;

  private String failure = "";
  private BlockPool.@Nullable Block block;
  private int headersLength;
  private int payloadLength;

  /**
   * Whether the call has a place in the lane, once the worker has taken or refused the call, and
   * whether the call has given its place back for good, which happens once. Written by the call's
   * worker, and then by the executor.
   */
  private byte lanePlace;

  /** The data for another attempt; null for a call that is not tried again. */
  private final @Nullable Attempt attempt;

  /** An attempt of a call with a policy, and the rest of the call. */
  static final class Attempt {
    private final Retries peers;
    private final RetryPolicy policy;
    private final UnaryRequest request;

    /** The failures of the earlier attempts. */
    private final List<CallException> failures;

    /** The peers that had an attempt, this attempt's included. */
    private final List<Retries> tried;

    /** The time left when this attempt failed, ns; 0 without a deadline. */
    private long timeLeftNs;

    /** When this attempt failed, by the node's clock. */
    private long failedNs;

    /** The pause after this attempt, or null. */
    private volatile RetryRoom.@Nullable Wait pause;

    /** The budget that lent the retry after this attempt; null without a loan. */
    private volatile @Nullable RetryBudgets lender;

    private Attempt(
        Retries peers,
        RetryPolicy policy,
        UnaryRequest request,
        List<CallException> failures,
        List<Retries> tried) {
      this.peers = peers;
      this.policy = policy;
      this.request = request;
      this.failures = failures;
      this.tried = tried;
      timeLeftNs = request.options().deadline().toNanos();
    }

    /** Returns the first attempt of a call with this policy. */
    static Attempt first(Retries peers, RetryPolicy policy, UnaryRequest request) {
      // An attempt at any peer of the line may borrow a retry of that peer's budget.
      for (int place = 0; place < peers.size(); place++) {
        peers.at(place).budgets().onCall(request.route().id(), policy);
      }
      return new Attempt(peers, policy, request, List.of(), List.of(peers));
    }

    private void onFailed(long leftNs) {
      timeLeftNs = leftNs;
      failedNs = peers.room().nowNs();
    }

    /** Ends the pause after this attempt; false without a pause that goes on. */
    private boolean isPauseEnded() {
      RetryRoom.Wait begun = pause;
      boolean isEnded = begun != null && begun.cancel();
      if (isEnded) {
        giveBack();
      }
      return isEnded;
    }

    /** Borrows a retry of a peer's budget; false if too many retries are lent. */
    private boolean borrow(RetryBudgets budgets) {
      boolean isLent = budgets.tryTake(request.route().id(), policy);
      lender = isLent ? budgets : null;
      return isLent;
    }

    /** Gives the borrowed retry back: no attempt follows. Called once after an attempt. */
    private void giveBack() {
      RetryBudgets borrowed = lender;
      if (borrowed != null) {
        lender = null;
        borrowed.giveBack(request.route().id());
      }
    }

    /** The attempts so far. */
    private int count() {
      return failures.size() + 1;
    }

    private boolean mayFollow(CallException failure) {
      return count() < policy.attempts()
          && RetryPolicy.covers(failure.outcome(), request.options().isIdempotent());
    }

    /**
     * Draws the pause before the next attempt, ns; 0 for a peer that had no attempt so far, and
     * once for a peer that has just proved its restart.
     */
    private long pauseNs(CallException failure, Retries peer) {
      int retry = Math.max(0, count() / peers.size() - 1);
      boolean isBack = failures.isEmpty() && failure.outcome() == CallOutcome.PEER_RESET;
      if (isNew(peer) || isBack) {
        return 0;
      }
      // Each caller draws its pause behind the time that the peer asks for, so that they do not
      // all come back at once.
      long askedNs = failure.retryAfter().map(Duration::toNanos).orElse(0L);
      return askedNs + peers.room().pauseNs(policy, retry);
    }

    private boolean isNew(Retries peer) {
      return tried.stream().noneMatch(earlier -> earlier == peer);
    }

    private boolean hasTime(long pauseNs) {
      return timeLeftNs == 0 || leftNs() > pauseNs;
    }

    private long leftNs() {
      return timeLeftNs - (peers.room().nowNs() - failedNs);
    }

    /** Returns the next attempt, which gets the rest of the time, or null if no time is left. */
    private @Nullable Attempt next(CallException failure, Retries peer) {
      UnaryRequest rest = request;
      if (timeLeftNs != 0) {
        long leftNs = leftNs();
        if (leftNs <= 0) {
          return null;
        }
        TransferOptions shorter = request.options().withDeadline(Duration.ofNanos(leftNs));
        rest = new UnaryRequest(request.route(), request.payload(), shorter);
      }
      List<CallException> all = new ArrayList<>(failures);
      all.add(failure);
      List<Retries> reached = tried;
      if (isNew(peer)) {
        reached = new ArrayList<>(tried);
        reached.add(peer);
      }
      return new Attempt(peers, policy, rest, all, reached);
    }

    private long bytes() {
      return request.payload().length + (long) request.options().headers().encodedBytes();
    }
  }

  FutureCall(PeerHandle handle, UnaryRequest request, Answer<R> answer, ExecutorLane lane) {
    this(handle, request, answer, lane, new Ending<>(), null);
  }

  private FutureCall(
      PeerHandle handle,
      UnaryRequest request,
      Answer<R> answer,
      ExecutorLane lane,
      Ending<R> future,
      @Nullable Attempt attempt) {
    super(
        handle.link(request.options().dependencies()),
        request.route().id(),
        request.options().priority(),
        request.options().headerBlock(),
        request.payload());
    TransferOptions options = request.options();
    agree(options.protection(), options.expectedResponseBytes());
    expireAfter(options.deadline().toNanos());
    waitForReady(options.readyWait().toNanos());
    this.port = handle.port();
    this.lane = lane;
    this.answer = answer;
    dependOn(options.dependencies(), port.causality());
    lanePlace = isDependent() ? UNPLACED : PLACED;
    this.future = future;
    this.attempt = attempt;
    future.call = this;
  }

  /** The future for which the caller waits. */
  private static final class Ending<R> extends Call<R> {
    /** The last attempt of the call; set from the first attempt on. */
    private volatile @Nullable FutureCall<R> call;

    private FutureCall<R> call() {
      return Objects.requireNonNull(call);
    }

    @Override
    void end() {
      FutureCall<R> last = call();
      if (last.attempt == null || !last.attempt.isPauseEnded()) {
        last.cancel(last.port, CallOutcome.CANCELLED, ENDED);
      }
    }

    @Override
    public CausalityToken token() {
      FutureCall<R> last = call();
      return last.answer.named(tokenOf(last, last.port.causality()));
    }
  }

  /**
   * Submits a call; if allowed, the call waits for room and for a place of its completion.
   *
   * @param attempt the first attempt of a call with a policy for retries, else null
   */
  static <R> Call<R> submit(
      PeerHandle handle,
      UnaryRequest request,
      Answer<R> answer,
      ExecutorLane lane,
      @Nullable Attempt attempt) {
    return new FutureCall<>(handle, request, answer, lane, new Ending<>(), attempt).submit(handle);
  }

  final Call<R> submit(PeerHandle handle) {
    String problem = handle.submit(this, lane);
    if (problem != null && !isDecided()) {
      decide(CallOutcome.SUBMISSION_FULL);
      fail(CallOutcome.SUBMISSION_FULL, problem);
    }
    return future;
  }

  /** On a worker's thread, which must not run the code that waits for the future. */
  @Override
  protected void onUnplaced(CallOutcome outcome, String text) {
    var _ = CompletableFuture.runAsync(() -> fail(outcome, text), lane.lastResort());
  }

  private void fail(CallOutcome outcome, String text) {
    onUnsubmitted();
    if (attempt != null) {
      attempt.onFailed(attempt.timeLeftNs);
    }
    ended(failure(outcome, text));
  }

  private CallException failure(CallOutcome outcome, String text) {
    return CallException.of(outcome, text, this, answer.route());
  }

  /** Called if the call was not submitted for lack of a place. */
  void onUnsubmitted() {}

  @Override
  public void onHeld() {
    if (lanePlace == PLACED) {
      lanePlace = UNPLACED;
      lane.unreserve();
    }
  }

  @Override
  public void onReleased() {
    if (lanePlace == UNPLACED) {
      lanePlace = PLACED;
      lane.takePlace();
    }
  }

  private void givePlaceBack() {
    if (lanePlace == PLACED) {
      lanePlace = GIVEN_BACK;
      lane.unreserve();
    }
  }

  @Override
  public void onResponse(
      CallOutcome outcome,
      DirectBuffer buffer,
      int headersOffset,
      int headersLength,
      int payloadOffset,
      int payloadLength) {
    try {
      BlockPool.Block copy = port.blocks().acquire(headersLength + payloadLength);
      buffer.getBytes(headersOffset, copy.bytes(), 0, headersLength);
      buffer.getBytes(payloadOffset, copy.bytes(), headersLength, payloadLength);
      block = copy;
      this.outcome = (byte) outcome.ordinal();
      this.headersLength = headersLength;
      this.payloadLength = payloadLength;
      if (attempt != null && outcome != CallOutcome.OK) {
        attempt.onFailed(timeLeftNs());
      }
    } catch (OutOfMemoryError e) {
      this.outcome = (byte) CallOutcome.RESPONSE_DROPPED.ordinal();
      failure = FailureText.of(e);
      if (attempt != null) {
        attempt.onFailed(timeLeftNs());
      }
    }
    lane.give(this);
  }

  @Override
  protected void onMessage(byte[] headers, byte[] payload) {
    givePlaceBack();
    answer(headers, payload);
  }

  private void answer(byte[] headers, byte[] payload) {
    R value;
    try {
      value = answer.of(headers, payload);
    } catch (RuntimeException | Error e) {
      CallException.Site site = CallException.Site.of(peer(), answer.route());
      future.fail(withEarlier(CallException.notDecoded(e, site)));
      return;
    }
    future.answer(headers, value);
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    this.outcome = (byte) outcome.ordinal();
    failure = text;
    if (attempt != null) {
      attempt.onFailed(timeLeftNs());
    }
    lane.give(this);
  }

  /** Completes the future on the last resort: the refused thread may be a worker's. */
  @Override
  public void onRejected() {
    var _ = CompletableFuture.runAsync(this, lane.lastResort());
  }

  @Override
  public boolean mayBlock() {
    return true;
  }

  /** On the executor: completes the future, also after an exception. */
  @Override
  public void run() {
    givePlaceBack();
    try {
      complete();
    } catch (RuntimeException | Error e) {
      future.fail(withEarlier(failure(CallOutcome.RESPONSE_DROPPED, FailureText.of(e))));
      throw e;
    }
  }

  private void complete() {
    BlockPool.Block copy = block;
    block = null;
    byte[] payload = NO_BYTES;
    byte[] headers = NO_BYTES;
    if (copy != null) {
      int end = headersLength + payloadLength;
      payload = Arrays.copyOfRange(copy.bytes(), headersLength, end);
      headers = headersLength == 0 ? NO_BYTES : Arrays.copyOf(copy.bytes(), headersLength);
      port.blocks().release(copy);
    }
    CallOutcome outcome = OUTCOMES[this.outcome];
    if (outcome == CallOutcome.OK) {
      answer(headers, payload);
    } else {
      String text = failure.isEmpty() ? PeerText.of(payload) : failure;
      ended(failure(outcome, text));
    }
  }

  private CallException withEarlier(CallException failed) {
    return attempt == null ? failed : failed.after(attempt.failures, "");
  }

  /** The attempt has failed: another attempt follows, or the call fails. */
  private void ended(CallException failed) {
    Attempt last = attempt;
    if (last == null) {
      future.fail(failed);
      return;
    }
    String why = last.mayFollow(failed) && !future.isDone() ? refusal(last, failed) : "";
    if (why != null) {
      future.fail(failed.after(last.failures, why));
    }
  }

  /** Begins another attempt, or its pause; otherwise returns the reason for no other attempt. */
  private @Nullable String refusal(Attempt last, CallException failed) {
    Retries peer = last.peers.of(last.count());
    long pauseNs = last.pauseNs(failed, peer);
    if (!last.hasTime(pauseNs)) {
      return "no time is left for another attempt";
    }
    if (RetryBudgets.wasLoad(failed.outcome()) && !last.borrow(peer.budgets())) {
      count(() -> port.counters().retriesRefused++);
      return "too many calls are tried again";
    }
    if (pauseNs > 0) {
      RetryRoom.Wait pause =
          last.peers.room().enter(pauseNs, last.bytes(), new Pause(last, peer, failed));
      if (pause == null) {
        last.giveBack();
        count(() -> port.counters().retriesRefused++);
        return last.peers.room().isClosed()
            ? "the transport was closed"
            : "too many calls wait to be tried again";
      }
      last.pause = pause;
      if (future.isDone()) {
        // The caller gave the call up meanwhile, and may have seen no pause.
        var _ = last.isPauseEnded();
      }
    }
    count(() -> port.counters().callsRetried++);
    answer.onRetry(last.count() + 1, failed.outcome(), Duration.ofNanos(pauseNs));
    if (pauseNs == 0) {
      tryAgain(last, peer, failed);
    }
    return null;
  }

  /** Counts on the worker's thread, the only writer of the counters. */
  private void count(Runnable counting) {
    port.giveBack(new TaskSubmission(priority(), counting));
  }

  private void tryAgain(Attempt last, Retries peer, CallException failed) {
    Attempt next = last.next(failed, peer);
    if (next == null) {
      last.giveBack();
      future.fail(failed.after(last.failures, "no time is left for another attempt"));
      return;
    }
    PeerHandle handle = peer.handle().get();
    FutureCall<R> call = new FutureCall<>(handle, next.request, answer, lane, future, next);
    var _ = call.submit(handle);
    if (future.isDone()) {
      // The caller gave the call up meanwhile, and ended only the previous attempt.
      future.end();
    }
  }

  /** The pause before another attempt. */
  private final class Pause implements RetryRoom.Waiter {
    private final Attempt last;
    private final Retries peer;
    private final CallException failed;

    private Pause(Attempt last, Retries peer, CallException failed) {
      this.last = last;
      this.peer = peer;
      this.failed = failed;
    }

    @Override
    public void onPauseOver() {
      lane.give(LaneTask.always(this::follow));
    }

    /** On the executor: begins the next attempt; the future is completed also after an error. */
    private void follow() {
      if (future.isDone()) {
        last.giveBack();
        return;
      }
      try {
        tryAgain(last, peer, failed);
      } catch (RuntimeException | Error e) {
        future.fail(failed.after(last.failures, FailureText.of(e)));
        throw e;
      }
    }

    @Override
    public void onClosed() {
      last.giveBack();
      CallException end = failed.after(last.failures, "the transport was closed");
      lane.give(LaneTask.always(() -> future.fail(end)));
    }
  }

  /**
   * A call with a payload sealed before. The call holds the payload until a body has taken the
   * payload over, or the call has ended; the call is not tried again.
   */
  static final class OfPayload<R> extends FutureCall<R> implements RequestBody {
    private final SharedPayload payload;
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Takes over a hold of the payload, which contains the headers. */
    OfPayload(
        PeerHandle handle,
        UnaryRequest request,
        SharedPayload payload,
        Answer<R> answer,
        ExecutorLane lane) {
      super(handle, request, answer, lane);
      this.payload = payload;
      sendBody(this);
    }

    @Override
    public SharedPayload shared() {
      return payload;
    }

    @Override
    public void onStarted() {
      taken.set(true);
    }

    @Override
    void onUnsubmitted() {
      letGo();
    }

    @Override
    public void onFailure(CallOutcome outcome, String text) {
      letGo();
      super.onFailure(outcome, text);
    }

    private void letGo() {
      if (taken.compareAndSet(false, true)) {
        payload.release();
      }
    }
  }
}
