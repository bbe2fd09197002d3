package io.millrace.transfer;

/**
 * The health of a peer, as this node knows the peer. A peer goes from each state to a worse or a
 * better state; a peer that was given up comes back by a handshake.
 */
public enum PeerHealth {
  /** The peer answers, and few of the packets to the peer fail. */
  HEALTHY,

  /**
   * Many of the packets to the peer fail, or the peer was just found again: new calls have less
   * priority.
   */
  DEGRADED,

  /**
   * The peer did not answer, or answers again for the first time: no new call is sent to the peer.
   */
  PROBING,

  /**
   * The node gave the peer up: the peer's paths have ended, and the node looks for the peer slowly.
   */
  FAILED;

  /** Whether new calls are sent to such a peer. */
  public boolean takesCalls() {
    return this == HEALTHY || this == DEGRADED;
  }
}
