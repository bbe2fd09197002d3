package io.millrace.api;

import io.millrace.actor.peer.PeerCall;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.protocol.transfer.CallOutcome;
import org.jspecify.annotations.Nullable;

/** The future of a call that ends with it. */
final class EndingFuture<T> extends CallFuture<T> {
  private final PeerHandle handle;
  private @Nullable PeerCall call;

  EndingFuture(PeerHandle handle) {
    this.handle = handle;
  }

  /** Which call ends with it. */
  void ends(PeerCall ending) {
    call = ending;
  }

  /** Submits the call that ends with it. */
  EndingFuture<T> submit(PeerCall begun) {
    ends(begun);
    handle.submit(begun);
    return this;
  }

  @Override
  protected void end() {
    PeerCall present = call;
    if (present != null && !present.isDecided()) {
      present.cancel(handle.port(), CallOutcome.CANCELLED, ENDED);
    }
  }
}
