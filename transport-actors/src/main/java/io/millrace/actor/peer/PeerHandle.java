package io.millrace.actor.peer;

import io.millrace.actor.call.PeerCall;
import io.millrace.actor.causality.CausalCall;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.transfer.CallOutcome;
import org.jspecify.annotations.Nullable;

/**
 * What the application holds of a peer: which worker serves it and where its calls go. Immutable;
 * any thread.
 *
 * @param identity the peer's handshake address, host:port
 * @param port the way to its worker
 * @param link the peer's place on that worker; its methods are for the worker's thread
 */
public record PeerHandle(String identity, SubmissionPort port, PeerLink link) {
  /** Submits a call made for {@link #link()}; it waits for room unless it does not want to. */
  public void submit(PeerCall call) {
    CausalCall causal = call.causal();
    if (causal == null) {
      port.submit(call);
      return;
    }
    String problem = causal.bind(() -> port.submit(call), late -> refuse(call, late));
    if (problem != null) {
      call.onRefused(CallOutcome.SUBMISSION_FULL, problem);
    }
  }

  /**
   * Submits a call made for {@link #link()} that will be given to {@code lane} when it ends. It
   * waits for a place there as for room, and gives its place back when it runs there.
   *
   * @return null, or why there is no room for it: then it is told nothing, and has no place
   */
  public @Nullable String submit(PeerCall call, ExecutorLane lane) {
    CausalCall causal = call.causal();
    return causal == null
        ? port.submit(call, lane)
        : causal.bind(() -> place(call, lane), late -> refuse(call, late));
  }

  private void place(PeerCall call, ExecutorLane lane) {
    String problem = port.submit(call, lane);
    if (problem != null) {
      refuse(call, problem);
    }
  }

  private static void refuse(PeerCall call, String problem) {
    if (!call.isDecided()) {
      call.refuseInLine(CallOutcome.SUBMISSION_FULL, problem);
    }
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return identity.hashCode();
  }

  @Override
  public String toString() {
    return "PeerHandle[" + identity + " on worker " + port.worker() + "]";
  }
}
