package io.millrace.api;

import io.millrace.path.call.PeerCall;
import io.millrace.path.peer.PeerHandle;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The future of a call; the end of the future also ends the call. */
final class EndingFuture<T> extends Call<T> {
  private final PeerHandle handle;
  private @Nullable PeerCall call;
  private Spans.CallSpan span = Spans.CallSpan.NONE;

  EndingFuture(PeerHandle handle) {
    this.handle = handle;
  }

  /** Sets the call that ends with this future. */
  void ends(PeerCall ending) {
    call = ending;
  }

  /** Sets the span of the call; called before any other code gets the future. */
  EndingFuture<T> traced(Spans.CallSpan traced) {
    span = traced;
    return this;
  }

  /** Submits the call that ends with this future, once {@code start} has completed. */
  EndingFuture<T> submit(PeerCall begun, CompletableFuture<?> start) {
    ends(begun);
    var _ = start.thenRun(() -> handle.submit(begun));
    return this;
  }

  @Override
  public CausalityToken token() {
    CausalityToken token = tokenOf(call, handle.port().causality());
    span.name(token);
    return token;
  }

  @Override
  void end() {
    PeerCall present = call;
    if (present != null && !present.isDecided()) {
      present.cancel(handle.port(), CallOutcome.CANCELLED, ENDED);
    }
  }
}
