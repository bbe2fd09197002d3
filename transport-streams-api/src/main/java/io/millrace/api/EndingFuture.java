package io.millrace.api;

import io.millrace.actor.peer.PeerCall;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.protocol.transfer.CallOutcome;
import org.jspecify.annotations.Nullable;

/** The future of a call that is told of it before it is submitted. */
final class EndingFuture<T> extends CallFuture<T> {
  private final PeerHandle handle;
  private @Nullable PeerCall call;

  EndingFuture(PeerHandle handle) {
    this.handle = handle;
  }

  /** Which call ends with it. */
  void ends(PeerCall submitted) {
    call = submitted;
  }

  @Override
  protected void end() {
    PeerCall present = call;
    if (present != null && !present.isDecided()) {
      present.cancel(handle.port(), CallOutcome.CANCELLED, ENDED);
    }
  }
}
