package io.millrace.actor.peer;

import io.millrace.actor.packet.PeerIncarnation;
import io.millrace.actor.packet.WorkerEnd;

/**
 * How a peer's actor asks for a handshake, whose answer comes as a {@link PeerCommand}, and tells
 * what became of the path. Any thread.
 */
public interface HandshakePort {
  /** Begins a handshake with {@code identity}, whose worker here is {@code worker}. */
  void connect(String identity, int worker);

  /** A path of {@code identity} to this life has ended, or could not be opened after all. */
  void onPathEnded(String identity, PeerIncarnation peer);

  /** Whether this life of a peer is the newest that has proved itself to this node; rule L-3. */
  boolean isNewest(PeerIncarnation peer);

  /** {@code worker} has no path to an earlier life of this peer, and will open none. */
  void onFenced(PeerIncarnation newest, int worker);

  /** {@code worker} has ended, and all its paths with it. */
  void onWorkerEnded(int worker, WorkerEnd end);
}
