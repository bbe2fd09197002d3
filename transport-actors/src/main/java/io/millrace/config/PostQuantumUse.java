package io.millrace.config;

/** Whether handshakes with certificates add ML-KEM-768 to the key exchange of TLS. */
public enum PostQuantumUse {
  /** Never. */
  OFF,
  /** With every peer that does it, too. */
  ON,
  /** With every peer; a peer that does not do it is refused. */
  REQUIRED
}
