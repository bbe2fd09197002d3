package io.millrace.path.packet;

import io.millrace.path.network.Rail;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.transfer.CallOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Who has the packets of one path: does its part of each turn, and is told what becomes of the
 * peer. On the worker's thread.
 */
public interface PathOwner {
  /** A deadline of the path has come. */
  void onTimer(long nowNs);

  /** When {@link #onTimer} has something to do, ns. */
  long nextDeadlineNs();

  /** The look before the worker transmits: calls that wait may take room that others left. */
  void makeRoom();

  /** The last look of a turn: what must be queued now. */
  void endTurn(long nowNs);

  /** Bytes of bodies that wait for regions. */
  long queuedBytes();

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

  /** Why nothing can be sent to the peer now, or null if something can. */
  @Nullable String noWay();

  /** Whether the peer may be silent for long. */
  boolean isRestful();

  /** The health of the peer, to which all its paths add. */
  SharedPeerHealth health();

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
