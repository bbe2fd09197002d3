package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.actor.peer.PeerCall;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.peer.SubmissionPort;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.protocol.transfer.CallOutcome;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;

/**
 * A call whose future completes on the executor. The worker copies the response into a block of its
 * pool and hands the call over; the executor copies it out and gives the block back, so that the
 * worker allocates nothing.
 */
final class FutureCall extends PeerCall implements Runnable {
  private static final byte[] NO_BYTES = {};

  private final CompletableFuture<UnaryResponse> future = new CompletableFuture<>();
  private final SubmissionPort port;
  private final ExecutorLane lane;
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
    this.port = handle.port();
    this.lane = lane;
  }

  CompletableFuture<UnaryResponse> future() {
    return future;
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
    handOver();
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    this.outcome = outcome;
    failure = text;
    handOver();
  }

  /** On the executor: completes the future. */
  @Override
  public void run() {
    int end = headersLength + payloadLength;
    byte[] payload = Arrays.copyOfRange(block, headersLength, end);
    byte[] headers = headersLength == 0 ? NO_BYTES : Arrays.copyOf(block, headersLength);
    port.blocks().release(block);
    block = NO_BYTES;
    if (outcome == CallOutcome.OK) {
      future.complete(new UnaryResponse(headers, payload));
    } else {
      String text = failure.isEmpty() ? new String(payload, UTF_8) : failure;
      future.completeExceptionally(new CallException(outcome, text));
    }
  }

  private void handOver() {
    if (!lane.offer(this)) {
      // The executor is full or gone; the caller must learn of the outcome all the same.
      run();
    }
  }
}
