package io.millrace.path.packet;

import io.millrace.access.admission.PathAccess;
import io.millrace.crypto.HandshakeOutcome.ProvedIdentity;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CloseReason;

/**
 * What the parts of one path know of it: whose it is, what time it is, what its worker shares, and
 * how to be looked at. On the worker's thread.
 */
public interface PathContext {
  /** The peer's handshake address. */
  String peer();

  /** The identity by which limits count the peer; unlike {@link #peer} it is proved. */
  ProvedIdentity identity();

  /** Which routes the peer may call; its {@code caller} is for any thread. */
  PathAccess access();

  /** The path's number, which both sides know it by. */
  long pathId();

  /** The peer's worker, as the endpoint knows it. */
  int destination();

  /** What the paths of the worker share. */
  WorkerContext worker();

  /** What becomes of its packets, and how long they take. */
  PathRecovery recovery();

  /** The ends of its keys, both ways. */
  PathRetirements retirements();

  /** The time of this turn, ns. */
  long nowNs();

  /** Whether the path has ended or its handling threw: it handles and sends nothing more. */
  boolean isOver();

  /** Whether the path has ended. */
  boolean isEnded();

  /** The path wants a look at the end of the turn. */
  void touch();

  /** Something waits at this level that did not before: the path wants a turn of the scheduler. */
  void activate(int level);

  /** Handling the path threw; it stays with this peer. */
  void onFault(Throwable fault);

  /** Tells the peer, ends the path, and fails its transfers. */
  void close(CloseReason reason, CallOutcome outcome, String text);
}
