package io.millrace.crypto;

import io.millrace.access.PeerIdentity;
import org.jspecify.annotations.Nullable;

/**
 * What a node decides about peers that connect to it. Called on the thread that drives the
 * handshake, one call at a time; must neither block nor throw.
 */
public interface HandshakeHost {
  /** Why no peer is welcome now, or null if one is. */
  @Nullable HandshakeRefusal refusal();

  /**
   * Why this peer may not connect, one sentence that the peer is told; null if it may. Asked of
   * each peer that began a handshake, once its identity is proved.
   */
  default @Nullable String denial(PeerIdentity peer) {
    return null;
  }

  /**
   * Why this peer, which has proved who it is, is not welcome now, or null if it is. Changes
   * nothing: a path that comes of it is judged again.
   */
  default @Nullable HandshakeRefusal refusal(HandshakeOutcome.Peer peer) {
    return refusal();
  }

  /**
   * What this node offers to a peer that began a handshake and knows the credentials; it may choose
   * a worker for the peer here. Costs nothing to undo: the peer may never answer.
   */
  byte[] advert();

  /**
   * {@link #advert()} for a peer whose name for itself, {@code host:port}, is known and proved by
   * then: it is given the worker that has its calls already.
   */
  default byte[] advertTo(String caller) {
    return advert();
  }

  /**
   * How far this node's knowledge of its peers has come. An exchange is stamped with it when this
   * side's fresh secret of it is made, so that its end says what it surely came after.
   */
  long epoch();
}
