package io.millrace.api;

import io.millrace.actor.body.BodySource;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.wire.Route;
import java.util.concurrent.CompletableFuture;

/** A bulk write from a source of its own. */
final class BulkWriteCall extends WriteCall {
  private final BodySource source;

  BulkWriteCall(
      PeerHandle handle,
      Route route,
      BodySource source,
      TransferOptions options,
      CompletableFuture<BulkReceipt> future,
      ExecutorLane lane) {
    super(handle, route, options, future, lane);
    this.source = source;
  }

  static CompletableFuture<BulkReceipt> submit(
      PeerHandle handle,
      Route route,
      BodySource source,
      TransferOptions options,
      ExecutorLane lane) {
    EndingFuture<BulkReceipt> future = new EndingFuture<>(handle);
    return future.submit(new BulkWriteCall(handle, route, source, options, future, lane));
  }

  @Override
  protected BodySource source() {
    return source;
  }

  @Override
  void letGo() {
    source.close();
  }
}
