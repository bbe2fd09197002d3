package io.millrace.api;

import io.millrace.buffer.BlockPool;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.FailureText;
import io.millrace.ends.LaneTask;
import io.millrace.path.call.PeerCall;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.wire.PeerText;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A call whose future completes on the executor. The worker copies the response into a block of its
 * pool and hands the call over; the executor copies it out and gives the block back, so that the
 * worker allocates nothing. The call has a place in the lane from the time on at which it is taken
 * or refused, so that its completion cannot be refused for want of one. If it waits for others it
 * takes its place when they let it go: one that it had before might be the one that they wait for.
 */
class FutureCall<R> extends PeerCall implements LaneTask {
  /**
   * Makes what a caller gets of what came. On the executor, or a stream's thread.
   *
   * @param <R> what the caller gets
   */
  @FunctionalInterface
  interface Answer<R> {
    /** As it came. */
    Answer<UnaryResponse> RAW = UnaryResponse::new;

    /**
     * The caller's answer; the arrays belong to it.
     *
     * @throws CallException if it cannot be decoded
     */
    R of(byte[] headers, byte[] payload);

    /** Hears of the call's token; returns it. */
    default CausalityToken named(CausalityToken token) {
      return token;
    }
  }

  private static final byte[] NO_BYTES = {};

  /** How often a call that may be executed twice is submitted, at most. */
  private static final int MOST_SUBMISSIONS = 4;

  private final Ending<R> future;
  private final SubmissionPort port;
  private final ExecutorLane lane;
  private final Answer<R> answer;
  private CallOutcome outcome = CallOutcome.OK;
  private String failure = "";
  private BlockPool.@Nullable Block block;
  private int headersLength;
  private int payloadLength;

  /** Whether it has a place in the lane, once it is taken or refused. Written by its worker. */
  private boolean isPlaced;

  /** Whether it has given its place back, which it does once. */
  private boolean isPlaceBack;

  /** What it is submitted again with, or null. */
  private final @Nullable Again again;

  private long timeLeftNs;

  /** A call that may be executed twice, and how often it was submitted. */
  private record Again(PeerHandle handle, UnaryRequest request, int submissions) {
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
    this.port = handle.port();
    this.lane = lane;
    this.answer = answer;
    dependOn(options.dependencies(), port.causality());
    isPlaced = !isDependent();
    this.future = future;
    again = Again.of(handle, request, submissions);
    future.call = this;
  }

  /** What its caller waits for. */
  private static final class Ending<R> extends Call<R> {
    /** The call as it was submitted last; set with the first. */
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

  /** Submits a call; it waits for room and a place for its completion, if it may. */
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

  /** On a worker's thread, which is not to run what waits for the future. */
  @Override
  protected void onUnplaced(CallOutcome outcome, String text) {
    var _ = CompletableFuture.runAsync(() -> fail(outcome, text), lane.lastResort());
  }

  private void fail(CallOutcome outcome, String text) {
    onUnsubmitted();
    future.fail(CallException.of(outcome, text, this));
  }

  /** Whether what it sent can be sent again. */
  boolean hasPayload() {
    return true;
  }

  /** There was no place for it: it was not submitted. */
  void onUnsubmitted() {}

  @Override
  protected void onReleased() {
    if (!isPlaced) {
      isPlaced = true;
      lane.takePlace();
    }
  }

  private void givePlaceBack() {
    if (isPlaced && !isPlaceBack) {
      isPlaceBack = true;
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
      this.outcome = outcome;
      this.headersLength = headersLength;
      this.payloadLength = payloadLength;
    } catch (OutOfMemoryError e) {
      this.outcome = CallOutcome.RESPONSE_DROPPED;
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
    } catch (CallException e) {
      future.fail(e);
      return;
    } catch (RuntimeException | Error e) {
      future.fail(CallException.notDecoded(e));
      return;
    }
    future.answer(headers, value);
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    this.outcome = outcome;
    failure = text;
    if (again != null) {
      timeLeftNs = timeLeftNs();
    }
    lane.give(this);
  }

  /** Completes the future elsewhere: the thread that was refused may be a worker's. */
  @Override
  public void onRejected() {
    var _ = CompletableFuture.runAsync(this, lane.lastResort());
  }

  @Override
  public boolean mayBlock() {
    return true;
  }

  /** On the executor: completes the future, whatever is thrown. */
  @Override
  public void run() {
    givePlaceBack();
    try {
      complete();
    } catch (RuntimeException | Error e) {
      future.fail(CallException.of(CallOutcome.RESPONSE_DROPPED, FailureText.of(e), this));
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
    if (outcome == CallOutcome.OK) {
      answer(headers, payload);
    } else if (outcome != CallOutcome.PEER_RESET || !isSubmittedAgain()) {
      String text = failure.isEmpty() ? PeerText.of(payload) : failure;
      future.fail(CallException.of(outcome, text, this));
    }
  }

  /** Its peer has lost it: if that does no harm it goes again, under a number of its own. */
  private boolean isSubmittedAgain() {
    Again next = again;
    if (next == null || !hasPayload() || future.isDone()) {
      return false;
    }
    UnaryRequest request = next.request();
    if (timeLeftNs > 0) {
      Duration left = Duration.ofNanos(timeLeftNs);
      TransferOptions shorter = request.options().withDeadline(left);
      request = new UnaryRequest(request.route(), request.payload(), shorter);
    }
    FutureCall<R> call =
        new FutureCall<>(next.handle(), request, answer, lane, future, next.submissions() + 1);
    var _ = call.submit(next.handle());
    if (future.isDone()) {
      // Its caller gave it up meanwhile, and ended the one before.
      future.end();
    }
    return true;
  }
}
