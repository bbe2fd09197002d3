package io.millrace.crypto;

/** Why a node takes no new peer. */
public enum HandshakeRefusal {
  /** It has as many as its settings allow. */
  TOO_MANY_PEERS,
  /** It is about to end. */
  SHUTTING_DOWN
}
