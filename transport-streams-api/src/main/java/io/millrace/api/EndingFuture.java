package io.millrace.api;

import io.millrace.actor.call.PeerCall;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The future of a call that ends with it. */
final class EndingFuture<T> extends Call<T> {
  private final PeerHandle handle;
  private @Nullable PeerCall call;

  EndingFuture(PeerHandle handle) {
    this.handle = handle;
  }

  /** Which call ends with it. */
  void ends(PeerCall ending) {
    call = ending;
  }

  /** Submits the call that ends with it once {@code start} has completed. */
  EndingFuture<T> submit(PeerCall begun, CompletableFuture<?> start) {
    ends(begun);
    var _ = start.thenRun(() -> handle.submit(begun));
    return this;
  }

  @Override
  public CausalityToken token() {
    return tokenOf(call, handle.port().causality());
  }

  @Override
  void end() {
    PeerCall present = call;
    if (present != null && !present.isDecided()) {
      present.cancel(handle.port(), CallOutcome.CANCELLED, ENDED);
    }
  }
}
