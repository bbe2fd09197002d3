package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.actor.body.BodySource;
import io.millrace.actor.body.BodyTerms;
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

/** A call whose request is a body from a source and whose answer says that it is in place. */
final class BulkWriteCall extends PeerCall {
  private static final byte[] NO_BYTES = {};

  private final BodySource source;
  private final ExecutorLane lane;
  private final AtomicBoolean taken = new AtomicBoolean();
  private final CompletableFuture<BulkReceipt> future = new CompletableFuture<>();

  BulkWriteCall(
      PeerHandle handle,
      Route route,
      BodySource source,
      TransferOptions options,
      ExecutorLane lane) {
    super(handle.link(), route.id(), options.priority(), options.headers(), NO_BYTES);
    this.source = source;
    this.lane = lane;
  }

  CompletableFuture<BulkReceipt> future() {
    return future;
  }

  @Override
  protected BodySource source() {
    return source;
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
  protected void onMessage(byte[] headers, byte[] payload) {
    onFailure(CallOutcome.PEER_FAULT, "the peer answered a bulk write with a body");
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    lane.give(
        LaneTask.always(
            () -> {
              if (!taken.get()) {
                source.close();
              }
              future.completeExceptionally(new CallException(outcome, text));
            }));
  }
}
