package io.millrace.protocol.region;

/** What a sender does with a token; {@link TokenTransitions} leads from one to another. */
public enum TokenState {
  /** Nothing is written into its fill; may be acquired once bytes are authorised. */
  CACHED,

  /** A fill is being written. */
  IN_USE,

  /** All bytes of the fill were handed to the network; the receiver has not taken them out yet. */
  WAIT_ACK,

  /** Void: revoked, expired or refused. Final; a new key makes a new token. */
  GONE
}
