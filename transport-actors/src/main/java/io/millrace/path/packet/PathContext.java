package io.millrace.path.packet;

import io.millrace.access.admission.PathAccess;
import io.millrace.crypto.HandshakeOutcome.ProvedIdentity;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CloseReason;

/**
 * The path as seen by its parts: the peer, the time, the services shared by the worker, and a way
 * to ask for a look at the path. On the worker's thread.
 */
public interface PathContext {
  /** The peer's handshake address. */
  String peer();

  /** The identity by which limits count the peer; a proved identity, unlike {@link #peer}. */
  ProvedIdentity identity();

  /** Which routes the peer may call; the {@code caller} is for any thread. */
  PathAccess access();

  /** The path's number, known to both sides. */
  long pathId();

  /** The peer's worker, under the number of the endpoint. */
  int destination();

  /** The services shared by the paths of the worker. */
  WorkerContext worker();

  /** Loss recovery of the path: acknowledgements, losses, and the round trip. */
  PathRecovery recovery();

  /** The retirements of the path's keys, both ways. */
  PathRetirements retirements();

  /** The time of this turn, ns. */
  long nowNs();

  /**
   * Whether the path has ended or its handling threw: a path that is over handles and sends nothing
   * more.
   */
  boolean isOver();

  /** Whether the path has ended. */
  boolean isEnded();

  /** The path wants a look at the end of the turn. */
  void touch();

  /** Something new waits at this level: the path wants a turn of the scheduler. */
  void activate(int level);

  /** Handling the path threw; the fault stays with this peer. */
  void onFault(Throwable fault);

  /** Tells the peer, ends the path, and fails the transfers of the path. */
  void close(CloseReason reason, CallOutcome outcome, String text);
}
