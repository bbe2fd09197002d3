package io.millrace.handshake.quic;

/**
 * How much strangers and peers can make a node remember and do; all positive.
 *
 * @param initiations handshakes that this node has begun and that have not ended
 * @param inbound inbound connections that have not ended, about 75 KB each; the oldest makes room
 *     for the newest
 * @param inboundPerPrefix inbound connections from a single network (/24 of IPv4, /56 of IPv6); the
 *     oldest connection of the network makes room
 */
record QuicLimits(int initiations, int inbound, int inboundPerPrefix) {
  static final QuicLimits DEFAULT = new QuicLimits(1_024, 512, 256);

  QuicLimits {
    if (initiations <= 0 || inbound <= 0 || inboundPerPrefix <= 0) {
      throw new IllegalArgumentException("the limits of the handshake are positive");
    }
  }
}
