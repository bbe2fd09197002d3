package io.millrace.crypto.kem;

/**
 * Whether the handshakes of a node add a key exchange that a quantum computer does not break to the
 * one of TLS. Both sides have to want it; what they do is settled inside the channel that
 * authenticates both, so that nobody between them turns it off.
 */
public enum PostQuantum {
  /** Never. */
  OFF,
  /** With every peer that does it, too. */
  ON,
  /** With every peer; a peer that does not do it is refused. */
  REQUIRED
}
