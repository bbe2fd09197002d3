package io.millrace.path.packet;

import io.millrace.path.network.Rail;
import io.millrace.transfer.CallOutcome;

/**
 * Who has the packets of one path: is asked about the peer, and told what becomes of it and of the
 * secrets that lead to it. On the worker's thread.
 */
public interface PathOwner {
  /** The look before the worker transmits: calls that wait may take room that others left. */
  void makeRoom();

  /** The last look of a turn, after that of bulk: what must be queued now. */
  void endTurn();

  /** Packets are opened under one more secret, which has this id. */
  void onSecret(long wireId);

  /** Nothing comes any more under the secret of this id. */
  void onSecretGone(long wireId);

  /** Whether a handshake with the peer is under way. */
  boolean isAsked();

  /** There are signs that the peer has lost the secret of this id: it is to be asked. */
  void onDoubt(long wireId);

  /** The path's secret is old: a handshake should bring the next one. */
  void onRenewalDue();

  /** Whether the peer may be silent for long. */
  boolean isRestful();

  /** The peer is given up, for it is silent or not there; the path ends next. */
  void onGivenUp();

  /** The peer does not answer. */
  void onSuspected();

  /** The peer was heard of again. */
  void onTrusted();

  /** The path uses this rail from now on. */
  void onRail(Rail rail);

  /** Handling the path threw; it handles nothing more until it is closed. */
  void onFault(Throwable fault);

  /** The path is over, for the peer said so or was told so. */
  void onEnd(CallOutcome outcome, String text);
}
