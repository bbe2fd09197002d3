package io.millrace.api;

import io.millrace.body.BatchSealer;
import io.millrace.body.SharedPayload;
import io.millrace.buffer.DropWatch;
import io.millrace.transfer.CallOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Completes a future with the payloads of a batch; on the executor. */
record SealedBatch(CompletableFuture<List<SealedPayload>> future, DropWatch drops)
    implements BatchSealer.Listener {
  @Override
  public void onSealed(List<SharedPayload> payloads) {
    List<SealedPayload> sealed =
        payloads.stream().map(each -> SealedPayload.of(each, drops)).toList();
    if (!future.complete(sealed)) {
      sealed.forEach(SealedPayload::close);
    }
  }

  @Override
  public void onFailed(CallOutcome outcome, String text) {
    future.completeExceptionally(new CallException(outcome, text));
  }
}
