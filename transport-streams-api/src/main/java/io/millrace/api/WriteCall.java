package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.BodyTerms;
import io.millrace.body.MeasuredSource;
import io.millrace.body.SharedPayload;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.FailureText;
import io.millrace.ends.LaneTask;
import io.millrace.path.call.PeerCall;
import io.millrace.path.call.RequestBody;
import io.millrace.path.peer.PeerHandle;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.wire.PeerText;
import io.millrace.wire.RouteId;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;

/**
 * A call with a body as request; the answer confirms that the peer has the body in place. The
 * future completes on the executor, after the release of bytes not taken over by a body.
 */
abstract class WriteCall extends PeerCall implements RequestBody {
  static final byte[] NO_BYTES = {};

  private final CompletableFuture<BulkReceipt> future;
  private final ExecutorLane lane;
  private final String routeName;
  private final AtomicBoolean taken = new AtomicBoolean();

  WriteCall(
      PeerHandle handle,
      RouteId route,
      TransferOptions options,
      CompletableFuture<BulkReceipt> future,
      ExecutorLane lane) {
    super(
        handle.link(options.dependencies()),
        route.id(),
        options.priority(),
        options.headerBlock(),
        NO_BYTES);
    sendBody(this);
    agree(options.protection(), 0);
    expireAfter(options.deadline().toNanos());
    waitForReady(options.readyWait().toNanos());
    this.future = future;
    this.lane = lane;
    routeName = route.name();
    dependOn(options.dependencies(), handle.port().causality());
  }

  /**
   * Releases the bytes, because no body has taken or will take the bytes over. On the executor,
   * once.
   */
  abstract void letGo();

  @Override
  public final void onStarted() {
    taken.set(true);
  }

  @Override
  public final int pattern() {
    return BodyTerms.PATTERN_BULK;
  }

  @Override
  public final void onResponse(
      CallOutcome outcome,
      DirectBuffer buffer,
      int headersOffset,
      int headersLength,
      int payloadOffset,
      int payloadLength) {
    if (outcome != CallOutcome.OK) {
      onFailure(outcome, PeerText.of(buffer, payloadOffset, payloadLength));
      return;
    }
    byte[] bytes = new byte[payloadLength];
    buffer.getBytes(payloadOffset, bytes);
    byte[] headers = new byte[headersLength];
    buffer.getBytes(headersOffset, headers);
    lane.give(LaneTask.always(() -> onMessage(headers, bytes)));
  }

  /**
   * Returns the number of bytes in the peer's text, or a negative number if the text is no number.
   */
  private static long byteCount(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  @Override
  protected final void onMessage(byte[] headers, byte[] payload) {
    long received = byteCount(new String(payload, UTF_8));
    if (received < 0) {
      onFailure(CallOutcome.PEER_FAULT, "the peer answered a bulk write with no number of bytes");
    } else {
      future.complete(new BulkReceipt(received, Headers.decode(headers)));
    }
  }

  @Override
  public final void onFailure(CallOutcome outcome, String text) {
    lane.give(
        LaneTask.always(
            () -> {
              try {
                if (taken.compareAndSet(false, true)) {
                  letGo();
                }
              } finally {
                future.completeExceptionally(CallException.of(outcome, text, this, routeName));
              }
            }));
  }

  /** A bulk write that reads from its own source. */
  static final class OfSource extends WriteCall {
    private final BodySource source;

    OfSource(
        PeerHandle handle,
        RouteId route,
        BodySource source,
        TransferOptions options,
        CompletableFuture<BulkReceipt> future,
        ExecutorLane lane) {
      super(handle, route, options, future, lane);
      this.source = source;
    }

    static EndingFuture<BulkReceipt> submit(
        PeerHandle handle,
        RouteId route,
        BodySource source,
        TransferOptions options,
        ExecutorLane lane,
        CompletableFuture<?> start) {
      Objects.requireNonNull(source, "source");
      EndingFuture<BulkReceipt> future = new EndingFuture<>(handle);
      MeasuredSource measured;
      try {
        measured = new MeasuredSource(source);
      } catch (RuntimeException | Error e) {
        CallException failure =
            CallException.notSent(
                CallOutcome.SOURCE_FAILED,
                FailureText.of(e),
                CallException.Site.of(handle.identity(), route.name()));
        lane.give(LaneTask.always(() -> letGo(source, future, failure)));
        return future;
      }
      return future.submit(new OfSource(handle, route, measured, options, future, lane), start);
    }

    private static void letGo(
        BodySource source, CompletableFuture<BulkReceipt> future, CallException failure) {
      try {
        source.close();
      } finally {
        future.completeExceptionally(failure);
      }
    }

    @Override
    public BodySource source() {
      return source;
    }

    @Override
    void letGo() {
      source.close();
    }
  }

  /**
   * A transfer of a broadcast: a bulk write of a payload shared with the broadcast's other
   * transfers.
   */
  static final class OfPayload extends WriteCall {
    private final SharedPayload payload;

    /** Takes over a hold of the payload, which contains the headers. */
    OfPayload(
        PeerHandle handle,
        RouteId route,
        TransferOptions options,
        SharedPayload payload,
        CompletableFuture<BulkReceipt> future,
        ExecutorLane lane) {
      super(handle, route, options, future, lane);
      this.payload = payload;
    }

    @Override
    public SharedPayload shared() {
      return payload;
    }

    @Override
    void letGo() {
      payload.release();
    }
  }
}
