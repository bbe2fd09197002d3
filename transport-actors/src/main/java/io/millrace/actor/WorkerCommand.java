package io.millrace.actor;

import io.millrace.access.PeerIdentity;
import io.millrace.crypto.PathSecret;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.WorkerRemains;
import io.millrace.wire.codec.CloseReason;
import java.util.concurrent.CompletableFuture;

/** The commands of a worker's actor. */
public sealed interface WorkerCommand {
  /** Take this peer: from now on its calls may come through the rings. */
  record AdmitPeer(PeerLink link) implements WorkerCommand {}

  /** A handshake settled a path to this peer, which was admitted before. */
  record OpenPath(PeerLink link, PathTerms terms) implements WorkerCommand {}

  /** End all paths to earlier lives of this peer, and say so. */
  record FencePeer(PeerIncarnation newest) implements WorkerCommand {}

  /** The handshake that the peer's actor asked for failed. */
  record HandshakeFailed(PeerLink link, String reason) implements WorkerCommand {}

  /** A handshake settled a path that this node does not take: tell the peer. */
  record RefusePath(String identity, PathTerms terms, CloseReason reason)
      implements WorkerCommand {}

  /** The time to tell the refusal has come: the peer has opened its side. */
  record EndRefusedPath(String identity, PathTerms terms, CloseReason reason)
      implements WorkerCommand {}

  /** A handshake brought a new secret for a path. */
  record InstallSecret(
      long pathId,
      PeerIncarnation peer,
      PathSecret secret,
      boolean initiator,
      PeerIdentity identity)
      implements WorkerCommand {}

  /** Another peer has the place of this peer, whose paths end. */
  record YieldPeer(PeerLink link) implements WorkerCommand {}

  /** Room is short: end this path if nobody uses the path. */
  record EvictPath(long pathId) implements WorkerCommand {}

  /** The application knows that this peer is gone, for this reason. */
  record GiveUpPeer(PeerLink link, String cause) implements WorkerCommand {}

  /** This node keeps nothing of this peer any more. */
  record ForgetPeer(PeerLink link) implements WorkerCommand {}

  /** Tell when a path to this peer exists, or fail with the reason of its absence. */
  record Connect(PeerLink link, CompletableFuture<Void> answer) implements WorkerCommand {}

  /**
   * Peers begin nothing here any more; tell the remaining work.
   *
   * @param isLast whether this node begins nothing any more, either
   */
  record Drain(boolean isLast, CompletableFuture<WorkerRemains> answer) implements WorkerCommand {}

  /** Let the owner of the worker's regions tell the state of the regions. */
  record TakeRegionCensus(CompletableFuture<RegionPoolCensus> answer) implements WorkerCommand {}

  /** The transport closes. */
  record Close() implements WorkerCommand {}
}
