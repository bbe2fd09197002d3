package io.millrace.handshake.psk;

/**
 * Decides when an initiator's message is sent again: after 3 RTT, then after twice as long each
 * time.
 */
final class PskRetransmission {
  private static final long MAX_DELAY_NS = 1_000_000_000L;
  private static final int FIRST_DELAY_RTTS = 3;

  private final byte[] datagram;
  private final long begunNs;
  private long delayNs;
  private long nextNs;
  private int sends;

  PskRetransmission(byte[] datagram, long rttNs, long nowNs) {
    this.datagram = datagram;
    this.begunNs = nowNs;
    this.delayNs = Math.min(MAX_DELAY_NS, FIRST_DELAY_RTTS * Math.min(rttNs, MAX_DELAY_NS));
    this.nextNs = nowNs;
  }

  /** The message. */
  byte[] datagram() {
    return datagram;
  }

  /** The time of the next retransmission. */
  long nextNs() {
    return nextNs;
  }

  boolean isDue(long nowNs) {
    return nowNs - nextNs >= 0;
  }

  void onSent(long nowNs) {
    sends++;
    nextNs = nowNs + delayNs;
    delayNs = Math.min(MAX_DELAY_NS, 2 * delayNs);
  }

  /** Whether an answer tells the round trip exactly. */
  boolean isUnambiguous() {
    return sends == 1;
  }

  /** How long ago the message was sent first: the round trip, or more. */
  long elapsedNs(long nowNs) {
    return nowNs - begunNs;
  }
}
