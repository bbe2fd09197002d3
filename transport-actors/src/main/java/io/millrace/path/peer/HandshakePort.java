package io.millrace.path.peer;

import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.packet.WorkerEnd;

/**
 * How a peer's actor asks for a handshake, whose answer comes to that actor as a command, and tells
 * what became of the path. Any thread.
 */
public interface HandshakePort {
  /** Begins a handshake with {@code identity}, whose worker here is {@code worker}. */
  void connect(String identity, int worker);

  /** As {@link #connect}; the peer is to say whether it still knows this path of it; rule U-3. */
  void ask(String identity, int worker, long doubted);

  /**
   * Begins a handshake that brings a new secret for a path. If it fails the path goes on, until its
   * secret is too old.
   */
  void renew(String identity, int worker, long pathId, PeerIncarnation peer);

  /**
   * A worker opens packets of this life of a peer under the secret of this id.
   *
   * @param pathId the id that the path had first
   */
  void onSecret(long wireId, int worker, PeerIncarnation peer, long pathId);

  /** No worker opens packets under the secret of this id any more. */
  void onSecretGone(long wireId);

  /** Whether a worker of this node opens packets under the secret of this id. */
  boolean isKnown(long wireId);

  /** A path of {@code identity} to this life has ended, or could not be opened after all. */
  void onPathEnded(String identity, PeerIncarnation peer);

  /** Whether this life of a peer is the newest that has proved itself to this node; rule L-3. */
  boolean isNewest(PeerIncarnation peer);

  /** {@code worker} has no path to an earlier life of this peer, and will open none. */
  void onFenced(PeerIncarnation newest, int worker);

  /** The NIC of this worker's first endpoint went down or came up. */
  void onNic(int worker, boolean isUp);

  /** {@code worker} has ended, and all its paths with it. */
  void onWorkerEnded(int worker, WorkerEnd end);
}
