package io.millrace.samples.bench.reference;

import io.millrace.samples.bench.burst.link.LinkModel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An incast: nodes that each send one request to the same receiver.
 *
 * @param name the name on the command line and in the tables
 * @param senders nodes with one request each
 * @param bytes bytes of each request
 * @param besideBytes bytes that the first sender sends to another node at the same time; 0 for none
 * @param jitterNs the requests begin at random times within this span, ns
 * @param published the published figures of this incast, or null
 */
record ReferenceCase(
    String name,
    int senders,
    int bytes,
    int besideBytes,
    long jitterNs,
    @Nullable Published published) {
  /** The rate of every link, in each direction. */
  static final long BITS_PER_SECOND = 100_000_000_000L;

  /** Travel time of a datagram in one direction. */
  static final long DELAY_NS = 6_000;

  /** The queue of the switch before each node: two round trips of the link. */
  static final int QUEUE_BYTES = 300_000;

  /** Bytes of an IP packet; a datagram has 28 bytes less. */
  static final int PACKET_BYTES = 4_096;

  /**
   * The request budget of a receiver is less than one request of each of 10,000 senders, so their
   * requests need more than a round trip to come: 10,000 requests of 100 bytes take 80 us.
   */
  private static final long CROWD_JITTER_NS = 100_000;

  private static final LinkModel LINK = new LinkModel(BITS_PER_SECOND, PACKET_BYTES);

  /** The simulated link carries datagrams; headers of IP and Ethernet take no time. */
  static final int DATAGRAM_BYTES = PACKET_BYTES - LinkModel.DATAGRAM_OVERHEAD_BYTES;

  static final List<ReferenceCase> ALL =
      List.of(
          new ReferenceCase("15x2MB", 15, 2_000_000, 0, 0, new Published(0.989, 0, 1.04, 2.0)),
          new ReferenceCase("127x2MB", 127, 2_000_000, 0, 0, new Published(0.988, 0, 1.04, 2.0)),
          new ReferenceCase(
              "1023x100KB", 1_023, 100_000, 0, 0, new Published(0.944, 1.04, 1.04, 2.0)),
          new ReferenceCase("outcast", 5, 462_000, 1_848_000, 0, null),
          new ReferenceCase("300x16KiB", 300, 16 << 10, 0, 0, null),
          new ReferenceCase("2000x16KiB", 2_000, 16 << 10, 0, 0, null),
          new ReferenceCase("10000x16KiB", 10_000, 16 << 10, 0, CROWD_JITTER_NS, null));

  /**
   * Figures of Ultra Ethernet's own simulator, whose switches cut packets to their headers instead
   * of dropping them.
   *
   * @param use of the payload capacity
   * @param retransmissions for each new packet; 0 if not published
   * @param leastSpread last by first completion, the least over all runs
   * @param mostSpread last by first completion, the most over all runs
   */
  record Published(double use, double retransmissions, double leastSpread, double mostSpread) {}

  /** Payload bytes a second of full data packets only. */
  static double payloadBytesPerSecond() {
    return BITS_PER_SECOND / 8.0 * LINK.fullPayloadBytes() / DATAGRAM_BYTES;
  }

  /** Payload bytes of a full data packet. */
  static int fullPayloadBytes() {
    return LINK.fullPayloadBytes();
  }

  /** Payload bytes to the receiver, of all senders. */
  long payloadBytes() {
    return (long) senders * bytes;
  }

  /** The time of these bytes at the payload capacity, ns. */
  double idealNs() {
    return payloadBytes() * 1e9 / payloadBytesPerSecond();
  }

  /** This case with fewer bytes of each sender, without published figures. */
  ReferenceCase withBytes(int other) {
    return new ReferenceCase(name, senders, other, besideBytes, jitterNs, null);
  }
}
