package io.millrace.config;

import io.millrace.protocol.recovery.ReceivedPackets;

/**
 * Loss recovery, liveness and congestion control: the blocks recovery and congestion.
 *
 * @param initialRttNs round trip assumed before the first measurement
 * @param pto when a path that hears nothing asks again
 * @param ackDelayNs an acknowledgement waits no longer than this
 * @param answerAckDelayNs the acknowledgement of an answer waits this much longer for a packet to
 *     travel with
 * @param reorderPackets packets that must overtake a packet before the packet is declared lost
 * @param windowPackets packets below the newest that are told apart from copies; a power of two
 * @param silence the treatment of a silent peer
 * @param health when a peer counts as healthy
 * @param controller the algorithm that decides how much a path may send
 */
public record RecoverySettings(
    long initialRttNs,
    ProbeTimeout pto,
    long ackDelayNs,
    long answerAckDelayNs,
    int reorderPackets,
    int windowPackets,
    SilenceSettings silence,
    PeerHealthSettings health,
    CongestionControllerKind controller) {
  static final long MAX_NS = 600_000_000_000L;

  /**
   * The times at which a path that hears nothing asks again: the keys that begin with pto.
   *
   * @param multiplier the first interval is this many smoothed round trips, 1 to 1,024
   * @param factor by how much each interval grows while nothing arrives, 1 to 16
   * @param maxNs the interval grows to this
   * @param jitterPercent the greatest share by which an interval is longer, 0 to 50
   */
  public record ProbeTimeout(int multiplier, int factor, long maxNs, int jitterPercent) {
    private static ProbeTimeout from(Section section) {
      return new ProbeTimeout(
          section.integer("pto-multiplier", 1, 1_024),
          section.integer("pto-factor", 1, 16),
          section.nanos("pto-max", 1_000_000L, MAX_NS),
          section.integer("pto-jitter-percent", 0, 50));
    }
  }

  private static int windowPackets(Section section) {
    int packets =
        section.integer(
            "window-packets", ReceivedPackets.LEAST_WINDOW, ReceivedPackets.MOST_WINDOW);
    if (Integer.bitCount(packets) != 1) {
      throw new SettingsException(
          section.key("window-packets"), "must be a power of two, not " + packets);
    }
    return packets;
  }

  static RecoverySettings from(Section section, Section congestion) {
    return new RecoverySettings(
        section.nanos("initial-rtt", 1_000L, MAX_NS),
        ProbeTimeout.from(section),
        section.nanos("ack-delay", 0L, 1_000_000_000L),
        section.nanos("answer-ack-delay", 0L, 1_000_000_000L),
        section.integer("reorder-packets", 1, 1_000),
        windowPackets(section),
        SilenceSettings.from(section),
        PeerHealthSettings.from(section.child("health")),
        congestion.choice("controller", CongestionControllerKind.class));
  }
}
