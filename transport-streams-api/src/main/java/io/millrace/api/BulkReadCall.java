package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.actor.body.BodyListener;
import io.millrace.actor.body.BodyOpener;
import io.millrace.actor.body.BodyTarget;
import io.millrace.actor.peer.PeerCall;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.actor.submission.FailureText;
import io.millrace.actor.submission.LaneTask;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** A call whose response is a body that goes to a target as it comes. */
final class BulkReadCall extends PeerCall implements BodyListener {
  private static final byte[] NO_BYTES = {};

  private final BodyTarget target;
  private final ExecutorLane lane;
  private final EndingFuture<BulkReceipt> future;
  private byte[] responseHeaders = NO_BYTES;

  /** The target is told by others how it ends, or is told to complete. */
  private boolean begun;

  BulkReadCall(
      PeerHandle handle,
      Route route,
      BodyTarget target,
      TransferOptions options,
      EndingFuture<BulkReceipt> future,
      ExecutorLane lane) {
    super(handle.link(), route.id(), options.priority(), options.headers(), NO_BYTES);
    expireAfter(options.deadline().toNanos());
    this.target = target;
    this.future = future;
    this.lane = lane;
  }

  static CompletableFuture<BulkReceipt> submit(
      PeerHandle handle,
      Route route,
      BodyTarget target,
      TransferOptions options,
      ExecutorLane lane) {
    EndingFuture<BulkReceipt> future = new EndingFuture<>(handle);
    return future.submit(new BulkReadCall(handle, route, target, options, future, lane));
  }

  @Override
  protected BodyListener bodyListener() {
    return this;
  }

  @Override
  public @Nullable BodyTarget onHeaders(BodyOpener opener, byte[] headers, long payloadBytes) {
    responseHeaders = headers;
    begun = true;
    return target;
  }

  @Override
  public void onDelivered(long payloadBytes) {
    future.answer(new BulkReceipt(payloadBytes, responseHeaders));
  }

  /** From the opener, or through {@link #onFailure} when no body ever came. */
  @Override
  public void onFailed(CallOutcome outcome, String text) {
    CallException failure = new CallException(outcome, text);
    try {
      if (!begun) {
        target.abort(failure);
      }
    } finally {
      future.fail(failure);
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
    byte[] bytes = new byte[payloadLength];
    buffer.getBytes(payloadOffset, bytes);
    if (outcome != CallOutcome.OK) {
      onFailure(outcome, new String(bytes, UTF_8));
      return;
    }
    lane.give(LaneTask.always(() -> deliver(bytes)));
  }

  /** The peer's handler answered inline. */
  private void deliver(byte[] bytes) {
    try {
      target.write(bytes, 0, bytes.length);
      begun = true;
      target.complete();
      future.answer(new BulkReceipt(bytes.length, NO_BYTES));
    } catch (IOException | RuntimeException e) {
      onFailed(CallOutcome.TARGET_FAILED, FailureText.of(e));
    } catch (Error e) {
      onFailed(CallOutcome.TARGET_FAILED, FailureText.of(e));
      throw e;
    }
  }

  @Override
  protected void onMessage(byte[] headers, byte[] payload) {
    throw new IllegalStateException("a bulk read is never put together");
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    lane.give(LaneTask.always(() -> onFailed(outcome, text)));
  }
}
