package io.millrace.path.packet;

/**
 * A life of a peer.
 *
 * @param identity the handshake address by which the peer names itself
 * @param incarnation random, new in each process of the peer: tells lives apart, and says nothing
 *     about their order
 */
public record PeerIncarnation(String identity, long incarnation) {}
