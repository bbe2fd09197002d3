package io.millrace.actor;

import io.millrace.path.packet.PathTerms;
import io.millrace.path.peer.PeerPath;

/** The commands of a peer's actor. */
public sealed interface PeerCommand {
  /** Calls wait for a path. */
  record WantPath() implements PeerCommand {}

  /** A handshake settled these terms. */
  record OpenPath(PathTerms terms) implements PeerCommand {}

  /** The requested handshake failed. */
  record HandshakeFailed(String reason) implements PeerCommand {}

  /** The duty cycle caught this exception while handling a path of the peer. */
  record Faulted(PeerPath path, Throwable fault) implements PeerCommand {}

  /** The application knows that the peer is gone, for this reason. */
  record GiveUp(String cause) implements PeerCommand {}

  /** Another peer has the place of this peer. */
  record Yield() implements PeerCommand {}

  /** The transport closes. */
  record Close() implements PeerCommand {}
}
