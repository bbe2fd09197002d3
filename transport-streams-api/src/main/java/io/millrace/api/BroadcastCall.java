package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.actor.body.BodyTerms;
import io.millrace.actor.body.SharedPayload;
import io.millrace.actor.peer.PeerCall;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.actor.submission.LaneTask;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;

/** One transfer of a broadcast: a bulk write of a payload that others send, too. */
final class BroadcastCall extends PeerCall {
  private static final byte[] NO_BYTES = {};

  private final SharedPayload payload;
  private final CompletableFuture<BulkReceipt> future;
  private final ExecutorLane lane;
  private final AtomicBoolean taken = new AtomicBoolean();

  /** Takes over one hold of the payload; {@code future} completes on the executor. */
  BroadcastCall(
      PeerHandle handle,
      Route route,
      int priority,
      SharedPayload payload,
      CompletableFuture<BulkReceipt> future,
      ExecutorLane lane) {
    super(handle.link(), route.id(), priority, NO_BYTES, NO_BYTES);
    this.payload = payload;
    this.future = future;
    this.lane = lane;
  }

  @Override
  protected SharedPayload shared() {
    return payload;
  }

  @Override
  protected void onBodyStarted() {
    taken.set(true);
  }

  @Override
  public int pattern() {
    return BodyTerms.PATTERN_BULK;
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
    String text = new String(bytes, UTF_8);
    if (outcome == CallOutcome.OK) {
      lane.give(
          LaneTask.always(() -> future.complete(new BulkReceipt(Long.parseLong(text), NO_BYTES))));
    } else {
      onFailure(outcome, text);
    }
  }

  @Override
  protected void onMessage(byte[] headers, byte[] body) {
    onFailure(CallOutcome.PEER_FAULT, "the peer answered a broadcast with a body");
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    if (taken.compareAndSet(false, true)) {
      payload.release();
    }
    lane.give(
        LaneTask.always(() -> future.completeExceptionally(new CallException(outcome, text))));
  }
}
