package io.millrace.api;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.MeasuredSource;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.FailureText;
import io.millrace.ends.LaneTask;
import io.millrace.path.peer.PeerHandle;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A bulk write that reads from its own source. */
final class BulkWriteCall extends WriteCall {
  private final BodySource source;

  BulkWriteCall(
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
      lane.give(LaneTask.always(() -> letGo(source, future, e)));
      return future;
    }
    return future.submit(new BulkWriteCall(handle, route, measured, options, future, lane), start);
  }

  private static void letGo(
      BodySource source, CompletableFuture<BulkReceipt> future, Throwable thrown) {
    try {
      source.close();
    } finally {
      future.completeExceptionally(
          new CallException(CallOutcome.SOURCE_FAILED, FailureText.of(thrown)));
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
