package io.millrace.api;

import io.millrace.api.codec.CodecException;
import io.millrace.body.SharedPayload;
import io.millrace.buffer.BlockPool;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.FailureText;
import io.millrace.ends.LaneTask;
import io.millrace.path.call.PeerCall;
import io.millrace.path.call.RequestBody;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.wire.PeerText;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A call that completes its future on the executor. The worker copies the response into a block of
 * its pool and hands the call over. The executor copies the bytes out and gives the block back, so
 * the worker allocates nothing. A call has a place in the lane as soon as the worker has taken or
 * refused the call. The lane therefore cannot refuse the completion for lack of places. A call that
 * depends on other calls takes its place when the last of these calls has released it. With an
 * earlier place, the dependent call might occupy the very place for which the other calls wait.
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
  }

  private static final byte[] NO_BYTES = {};
  private static final CallOutcome[] OUTCOMES = CallOutcome.values();
  private static final byte UNPLACED = 0;
  private static final byte PLACED = 1;
  private static final byte GIVEN_BACK = 2;

  /** The maximum number of submissions of an idempotent call. */
  private static final int MOST_SUBMISSIONS = 4;

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
   * whether the call has given its place back, which happens once. Written by the call's worker,
   * and then by the executor.
   */
  private byte lanePlace;

  /** The data for another submission, or null. */
  private final @Nullable Again again;

  /** An idempotent call, and the number of its submissions. */
  private static final class Again {
    private final PeerHandle handle;
    private final UnaryRequest request;
    private final int submissions;

    /** The time left of the failed submission, ns; 0 without a deadline. */
    private long timeLeftNs;

    private Again(PeerHandle handle, UnaryRequest request, int submissions) {
      this.handle = handle;
      this.request = request;
      this.submissions = submissions;
    }

    static @Nullable Again of(PeerHandle handle, UnaryRequest request, int submissions) {
      TransferOptions options = request.options();
      return options.isIdempotent()
              && options.dependencies().isEmpty()
              && submissions < MOST_SUBMISSIONS
          ? new Again(handle, request, submissions)
          : null;
    }
  }

  FutureCall(PeerHandle handle, UnaryRequest request, Answer<R> answer, ExecutorLane lane) {
    this(handle, request, answer, lane, new Ending<>(), 1);
  }

  private FutureCall(
      PeerHandle handle,
      UnaryRequest request,
      Answer<R> answer,
      ExecutorLane lane,
      Ending<R> future,
      int submissions) {
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
    again = Again.of(handle, request, submissions);
    future.call = this;
  }

  /** The future for which the caller waits. */
  private static final class Ending<R> extends Call<R> {
    /** The last submission of the call; set from the first submission on. */
    private volatile @Nullable FutureCall<R> call;

    private FutureCall<R> call() {
      return Objects.requireNonNull(call);
    }

    @Override
    void end() {
      FutureCall<R> last = call();
      last.cancel(last.port, CallOutcome.CANCELLED, ENDED);
    }

    @Override
    public CausalityToken token() {
      FutureCall<R> last = call();
      return last.answer.named(tokenOf(last, last.port.causality()));
    }
  }

  /** Submits a call; if allowed, the call waits for room and for a place of its completion. */
  static <R> Call<R> submit(
      PeerHandle handle, UnaryRequest request, Answer<R> answer, ExecutorLane lane) {
    return new FutureCall<>(handle, request, answer, lane).submit(handle);
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
    future.fail(failure(outcome, text));
  }

  private CallException failure(CallOutcome outcome, String text) {
    return CallException.of(outcome, text, this, answer.route());
  }

  /** Whether the call still has its payload for another submission. */
  boolean hasPayload() {
    return true;
  }

  /** Called if the call was not submitted for lack of a place. */
  void onUnsubmitted() {}

  @Override
  protected void onReleased() {
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
    } catch (OutOfMemoryError e) {
      this.outcome = (byte) CallOutcome.RESPONSE_DROPPED.ordinal();
      failure = FailureText.of(e);
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
      future.fail(CallException.notDecoded(e, CallException.Site.of(peer(), answer.route())));
      return;
    }
    future.answer(headers, value);
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    this.outcome = (byte) outcome.ordinal();
    failure = text;
    if (again != null) {
      again.timeLeftNs = timeLeftNs();
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
      future.fail(failure(CallOutcome.RESPONSE_DROPPED, FailureText.of(e)));
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
    } else if (outcome != CallOutcome.PEER_RESET || !isSubmittedAgain()) {
      String text = failure.isEmpty() ? PeerText.of(payload) : failure;
      future.fail(failure(outcome, text));
    }
  }

  /**
   * Submits the call again after the peer has lost the call, if another execution does no harm; the
   * new submission has a number of its own.
   */
  private boolean isSubmittedAgain() {
    Again next = again;
    if (next == null || !hasPayload() || future.isDone()) {
      return false;
    }
    UnaryRequest request = next.request;
    if (next.timeLeftNs > 0) {
      Duration left = Duration.ofNanos(next.timeLeftNs);
      TransferOptions shorter = request.options().withDeadline(left);
      request = new UnaryRequest(request.route(), request.payload(), shorter);
    }
    FutureCall<R> call =
        new FutureCall<>(next.handle, request, answer, lane, future, next.submissions + 1);
    var _ = call.submit(next.handle);
    if (future.isDone()) {
      // The caller gave the call up meanwhile, and ended only the previous submission.
      future.end();
    }
    return true;
  }

  /**
   * A call with a payload sealed before. The call holds the payload until a body has taken the
   * payload over, or the call has ended.
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

    /** False: the payload may already be released. */
    @Override
    boolean hasPayload() {
      return false;
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
