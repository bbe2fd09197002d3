package io.millrace.path.packet;

/**
 * One life of a peer.
 *
 * @param identity the handshake address by which the peer names itself
 * @param incarnation random, new in each of its processes: it tells lives apart, and says nothing
 *     about which came first
 */
public record PeerIncarnation(String identity, long incarnation) {}
