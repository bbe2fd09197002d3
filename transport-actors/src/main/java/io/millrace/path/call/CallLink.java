package io.millrace.path.call;

import io.millrace.protocol.schedule.Timer;
import io.millrace.transfer.CallOutcome;

/** The calls of this node to one peer, as seen by one of these calls. On the worker's thread. */
public interface CallLink {
  /** The peer's handshake address, host:port; any thread. */
  String identity();

  /** The worker took the call from its rings. */
  void onCall(PeerCall call, long nowNs);

  /** A call held back by other transfers waits for no transfer any more. */
  void onReady(PeerCall call);

  /** The caller has given the call up; does nothing for an ended call. */
  void cancel(PeerCall call, CallOutcome outcome, String text);

  /** The time is over for which the call may wait for its peer to be ready. */
  void onWaitOver(PeerCall call);

  /** A call ends at this time unless the call has ended before. */
  void arm(Timer deadline, long deadlineNs);

  /** The time of the worker's turn, ns; {@code knownNs} while the peer has no running worker. */
  long turnNs(long knownNs);

  /** A call has ended: removes its deadline. */
  void disarm(Timer deadline);
}
