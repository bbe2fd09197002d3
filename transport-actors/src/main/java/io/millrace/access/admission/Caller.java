package io.millrace.access.admission;

import io.millrace.access.PeerIdentity;

/**
 * The peer whose transfer this node serves.
 *
 * @param peer the handshake address by which this node knows the peer
 * @param identity the identity that the last handshake proved
 */
public record Caller(String peer, PeerIdentity identity) {}
