package io.millrace.access.admission;

import io.millrace.access.PeerIdentity;

/**
 * The peer whose transfer this node serves.
 *
 * @param peer the handshake address by which this node knows the peer
 * @param identity what the last handshake proved of it
 */
public record Caller(String peer, PeerIdentity identity) {}
