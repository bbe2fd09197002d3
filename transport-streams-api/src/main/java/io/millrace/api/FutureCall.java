package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.actor.call.PeerCall;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.peer.SubmissionPort;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.actor.submission.LaneTask;
import io.millrace.crypto.Protection;
import io.millrace.protocol.transfer.CallOutcome;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;

/**
 * A call whose future completes on the executor. The worker copies the response into a block of its
 * pool and hands the call over; the executor copies it out and gives the block back, so that the
 * worker allocates nothing. The call has a place in the lane from its submission on, so that its
 * completion cannot be refused for want of one.
 */
final class FutureCall extends PeerCall implements LaneTask {
  private static final byte[] NO_BYTES = {};

  private final Response future = new Response();
  private final SubmissionPort port;
  private final ExecutorLane lane;
  private final TransferOptions options;
  private CallOutcome outcome = CallOutcome.OK;
  private String failure = "";
  private byte[] block = NO_BYTES;
  private int headersLength;
  private int payloadLength;

  FutureCall(PeerHandle handle, UnaryRequest request, ExecutorLane lane) {
    super(
        handle.link(),
        request.route().id(),
        request.options().priority(),
        request.options().headers(),
        request.payload());
    options = request.options();
    expireAfter(options.deadline().toNanos());
    this.port = handle.port();
    this.lane = lane;
  }

  /** What its caller waits for. */
  private final class Response extends CallFuture<UnaryResponse> {
    @Override
    protected void end() {
      FutureCall.this.cancel(port, CallOutcome.CANCELLED, ENDED);
    }
  }

  /** Submits a call, unless there is no place for its completion. */
  static CompletableFuture<UnaryResponse> submit(
      PeerHandle handle, UnaryRequest request, ExecutorLane lane) {
    FutureCall call = new FutureCall(handle, request, lane);
    if (lane.reserve()) {
      handle.submit(call);
    } else {
      call.future.fail(
          new CallException(
              CallOutcome.SUBMISSION_FULL,
              "more calls are open than millrace.limits.executor-queue allows"));
    }
    return call.future;
  }

  @Override
  protected Protection protection() {
    return options.protection();
  }

  @Override
  protected long expectedResponseBytes() {
    return options.expectedResponseBytes();
  }

  @Override
  public void onResponse(
      CallOutcome outcome,
      DirectBuffer buffer,
      int headersOffset,
      int headersLength,
      int payloadOffset,
      int payloadLength) {
    this.outcome = outcome;
    this.headersLength = headersLength;
    this.payloadLength = payloadLength;
    block = port.blocks().acquire(headersLength + payloadLength);
    buffer.getBytes(headersOffset, block, 0, headersLength);
    buffer.getBytes(payloadOffset, block, headersLength, payloadLength);
    lane.give(this);
  }

  @Override
  protected void onMessage(byte[] headers, byte[] payload) {
    lane.unreserve();
    future.answer(new UnaryResponse(headers, payload));
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    this.outcome = outcome;
    failure = text;
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

  /** On the executor: completes the future. */
  @Override
  public void run() {
    lane.unreserve();
    int end = headersLength + payloadLength;
    byte[] payload = Arrays.copyOfRange(block, headersLength, end);
    byte[] headers = headersLength == 0 ? NO_BYTES : Arrays.copyOf(block, headersLength);
    port.blocks().release(block);
    block = NO_BYTES;
    if (outcome == CallOutcome.OK) {
      future.answer(new UnaryResponse(headers, payload));
    } else {
      String text = failure.isEmpty() ? new String(payload, UTF_8) : failure;
      future.fail(new CallException(outcome, text));
    }
  }
}
