package io.millrace.crypto;

/** Why a handshake failed, for programs; {@link HandshakeOutcome.Failed#reason()} is for people. */
public enum HandshakeFailure {
  /** Nobody answered in time, or the peer fell silent. */
  NO_ANSWER,
  /** The peer does not accept these credentials. */
  WRONG_CREDENTIALS,
  /** The peer speaks another version of the protocol. */
  UNSUPPORTED_VERSION,
  /** The peer takes no new peers now. */
  REFUSED,
  /** The address is this node's own. */
  OWN_ADDRESS,
  /** The peer proved its identity and then sent bytes that cannot be understood. */
  MALFORMED,
  /** This node has too many handshakes under way. */
  TOO_MANY_HANDSHAKES,
  /** This node was closed meanwhile. */
  CLOSED
}
