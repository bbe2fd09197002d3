package io.millrace.api;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.SharedPayload;
import io.millrace.ends.ExecutorLane;
import io.millrace.path.peer.PeerHandle;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;

/**
 * A transfer of a broadcast: a bulk write of a payload shared with the broadcast's other transfers.
 */
final class BroadcastCall extends WriteCall {
  private final SharedPayload payload;

  /** Takes over a hold of the payload, which contains the headers. */
  BroadcastCall(
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
