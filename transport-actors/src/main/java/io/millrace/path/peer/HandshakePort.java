package io.millrace.path.peer;

import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerEnd;

/**
 * The port by which a peer's actor asks for a handshake and reports the secrets and ends of paths.
 * The answer of a handshake comes to the actor as a command. Any thread may call the port.
 */
public interface HandshakePort {
  /** Begins a handshake with {@code identity}, served here by {@code worker}. */
  void connect(String identity, int worker);

  /** As {@link #connect}; the peer is asked whether the peer still knows this path; rule U-3. */
  void ask(String identity, int worker, long doubted);

  /**
   * Begins a handshake that brings a new secret for a path. After a failed handshake the path goes
   * on, until the path's secret is too old.
   */
  void renew(String identity, int worker, long pathId, PeerIncarnation peer);

  /**
   * A worker opens packets of this life of a peer under the secret of this id.
   *
   * @param pathId the first id of the path
   */
  void onSecret(long wireId, int worker, PeerIncarnation peer, long pathId);

  /** No worker opens packets under the secret of this id any more. */
  void onSecretGone(long wireId);

  /** Whether a worker of this node opens packets under the secret of this id. */
  boolean isKnown(long wireId);

  /** A path of {@code identity} to this life has ended, or the opening of the path failed. */
  void onPathEnded(String identity, PeerIncarnation peer);

  /** Whether this life of a peer is the newest life proved to this node; rule L-3. */
  boolean isNewest(PeerIncarnation peer);

  /** {@code worker} has no path to an earlier life of this peer, and will open none. */
  void onFenced(PeerIncarnation newest, int worker);

  /** The NIC of this worker's first endpoint went down or came up. */
  void onNic(int worker, boolean isUp);

  /** {@code worker} has ended, with all its paths. */
  void onWorkerEnded(int worker, WorkerEnd end);
}
