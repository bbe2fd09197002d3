package io.millrace.crypto;

/** Why a node takes no new peer. */
public enum HandshakeRefusal {
  /** The node has as many peers as its settings allow. */
  TOO_MANY_PEERS,
  /** The node is about to end. */
  SHUTTING_DOWN
}
