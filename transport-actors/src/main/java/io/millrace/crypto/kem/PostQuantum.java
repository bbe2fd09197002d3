package io.millrace.crypto.kem;

/**
 * Whether the handshakes of a node add a key exchange that a quantum computer does not break to the
 * key exchange of TLS. Both sides have to want the exchange; they agree inside the channel that
 * authenticates both, so that nobody between them turns the exchange off.
 */
public enum PostQuantum {
  /** Never. */
  OFF,
  /** With every peer that supports the exchange, too. */
  ON,
  /** With every peer; a peer without the exchange is refused. */
  REQUIRED
}
