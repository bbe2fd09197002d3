package io.millrace.crypto;

import io.millrace.access.PeerIdentity;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a node about connecting peers. Called on the thread that drives the handshake,
 * one call at a time; must neither block nor throw.
 */
public interface HandshakeHost {
  /** Why no peer is welcome now, or null while peers are welcome. */
  @Nullable HandshakeRefusal refusal();

  /**
   * Why this peer may not connect, a sentence that the peer is told; null for a permitted peer.
   * Asked of each peer that began a handshake, once the peer's identity is proved.
   */
  default @Nullable String denial(PeerIdentity peer) {
    return null;
  }

  /**
   * Why this peer, with a proved identity, is not welcome now, or null for a welcome peer. Changes
   * nothing: a resulting path is judged again.
   */
  default @Nullable HandshakeRefusal refusal(HandshakeOutcome.Peer peer) {
    return refusal();
  }

  /**
   * This node's offer to a peer that began a handshake and knows the credentials; the node may
   * choose a worker for the peer here. Costs nothing to undo: the peer may never answer.
   */
  byte[] advert();

  /**
   * {@link #advert()} for a peer whose own name, {@code host:port}, is known and proved by then:
   * the peer gets the worker that has the peer's calls already.
   */
  default byte[] advertTo(String caller) {
    return advert();
  }

  /**
   * The progress of this node's knowledge of its peers. An exchange takes this stamp when this side
   * makes its fresh secret, so that the exchange's end says which events it surely followed.
   */
  long epoch();
}
