package io.millrace.path.call;

import io.millrace.protocol.schedule.Timer;
import io.millrace.transfer.CallOutcome;

/** The calls of this node to one peer, as one of them sees them. On the worker's thread. */
public interface CallLink {
  /** The worker took the call from its rings. */
  void onCall(PeerCall call, long nowNs);

  /** A call that waited for other transfers waits for none any more. */
  void onReady(PeerCall call);

  /** The call's caller wants no more of it; does nothing if it has ended. */
  void cancel(PeerCall call, CallOutcome outcome, String text);

  /** A call ends at this time unless it has ended. */
  void arm(Timer deadline, long deadlineNs);

  /** The time of the worker's turn, ns; {@code knownNs} while the peer has no worker that runs. */
  long turnNs(long knownNs);

  /** A call has ended. */
  void disarm(Timer deadline);
}
