package io.millrace.path.packet;

import io.millrace.path.network.Rail;
import io.millrace.transfer.CallOutcome;

/**
 * The owner of the packets of one path. Answers questions about the peer, and hears of the path's
 * end and of the secrets leading to the path. On the worker's thread.
 */
public interface PathOwner {
  /** The look before the worker transmits: waiting calls may take the room left by other calls. */
  void makeRoom();

  /** The last look of a turn, after the look of bulk: queue frames for this turn now. */
  void endTurn();

  /** Packets are opened under one more secret, of this id. */
  void onSecret(long wireId);

  /** No packet comes any more under the secret of this id. */
  void onSecretGone(long wireId);

  /** Whether a handshake with the peer is under way. */
  boolean isAsked();

  /** Signs say that the peer has lost the secret of this id: ask the peer by a handshake. */
  void onDoubt(long wireId);

  /** The path's secret is old: a handshake should bring the next one. */
  void onRenewalDue();

  /** Whether the peer may be silent for long. */
  boolean isRestful();

  /** The peer is given up, for the peer is silent or not reachable; the path ends next. */
  void onGivenUp();

  /** The peer does not answer. */
  void onSuspected();

  /** The peer was heard of again. */
  void onTrusted();

  /** The path uses this rail from now on. */
  void onRail(Rail rail);

  /** Handling the path threw; the path handles nothing more until its owner closes the path. */
  void onFault(Throwable fault);

  /** The path is over: the peer closed the path, or this side told the peer of the end. */
  void onEnd(CallOutcome outcome, String text);
}
