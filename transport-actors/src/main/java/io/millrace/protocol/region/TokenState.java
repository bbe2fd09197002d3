package io.millrace.protocol.region;

/** The sender's use of a token; {@link TokenTransitions} leads from state to state. */
public enum TokenState {
  /** Nothing is written into its fill; may be acquired once bytes are authorised. */
  CACHED,

  /** A fill is being written. */
  IN_USE,

  /**
   * All bytes of the fill were handed to the network; the receiver has not taken the fill out yet.
   */
  WAIT_ACK,

  /** Void: revoked, expired or refused. Final; a new key makes a new token. */
  GONE
}
