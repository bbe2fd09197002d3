package io.millrace.handshake.tls;

/**
 * How much strangers and peers can make a node keep and do; all positive.
 *
 * @param initiations handshakes that this node has begun and that have not ended
 * @param inbound inbound connections; the oldest makes room for the newest
 * @param inboundPerPrefix inbound connections from a single network (/24 of IPv4, /56 of IPv6); the
 *     oldest connection of the network makes room
 * @param strangerBytes bytes read from a connection before its certificate is proved
 * @param peerBytes bytes read from a connection in all
 * @param taskThreads threads for signatures and key exchanges
 */
record TlsLimits(
    int initiations,
    int inbound,
    int inboundPerPrefix,
    int strangerBytes,
    int peerBytes,
    int taskThreads) {
  static final TlsLimits DEFAULT = new TlsLimits(1_024, 1_024, 512, 64 << 10, 128 << 10, 2);

  TlsLimits {
    if (initiations <= 0
        || inbound <= 0
        || inboundPerPrefix <= 0
        || strangerBytes <= 0
        || peerBytes <= 0
        || taskThreads <= 0) {
      throw new IllegalArgumentException("the limits of the handshake are positive");
    }
  }
}
