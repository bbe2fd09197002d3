package io.millrace.config;

/**
 * Loss recovery, liveness and congestion control: the blocks recovery and congestion.
 *
 * @param initialRttNs round trip assumed before one was measured
 * @param ptoMultiplier the first probe timeout is this many smoothed round trips
 * @param ptoMaxNs the probe timeout grows to this
 * @param ackDelayNs an acknowledgement waits no longer than this
 * @param reorderPackets packets that must overtake one before it is declared lost
 * @param silence what is done about a silent peer
 * @param controller what decides how much a path may send
 */
public record RecoverySettings(
    long initialRttNs,
    int ptoMultiplier,
    long ptoMaxNs,
    long ackDelayNs,
    int reorderPackets,
    SilenceSettings silence,
    CongestionControllerKind controller) {
  static final long MAX_NS = 600_000_000_000L;

  static RecoverySettings from(Section section, Section congestion) {
    return new RecoverySettings(
        section.nanos("initial-rtt", 1_000L, MAX_NS),
        section.integer("pto-multiplier", 1, 1_024),
        section.nanos("pto-max", 1_000_000L, MAX_NS),
        section.nanos("ack-delay", 0L, 1_000_000_000L),
        section.integer("reorder-packets", 1, 1_000),
        SilenceSettings.from(section),
        congestion.choice("controller", CongestionControllerKind.class));
  }
}
