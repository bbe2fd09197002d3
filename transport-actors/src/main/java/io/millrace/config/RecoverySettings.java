package io.millrace.config;

/**
 * Loss recovery and liveness.
 *
 * @param initialRttNs round trip assumed before one was measured
 * @param ptoMultiplier the first probe timeout is this many smoothed round trips
 * @param ptoMaxNs the probe timeout grows to this
 * @param ackDelayNs an acknowledgement waits no longer than this
 * @param reorderPackets packets that must overtake one before it is declared lost
 * @param silenceNs a peer that owes an answer and is silent for so long is probed
 * @param probePeriodNs first interval between probes
 * @param unansweredProbes probes without an answer after which the peer has failed
 * @param openingTimeoutNs what was not sent to a peer that does not answer fails after it
 * @param failAfterNs silence under probing after which the peer has failed
 * @param keepAliveNs a peer that owes nothing and is silent for so long is probed
 */
public record RecoverySettings(
    long initialRttNs,
    int ptoMultiplier,
    long ptoMaxNs,
    long ackDelayNs,
    int reorderPackets,
    long silenceNs,
    long probePeriodNs,
    int unansweredProbes,
    long openingTimeoutNs,
    long failAfterNs,
    long keepAliveNs) {
  private static final long MAX_NS = 600_000_000_000L;

  static RecoverySettings from(Section section) {
    return new RecoverySettings(
        section.nanos("initial-rtt", 1_000L, MAX_NS),
        section.integer("pto-multiplier", 1, 1_024),
        section.nanos("pto-max", 1_000_000L, MAX_NS),
        section.nanos("ack-delay", 0L, 1_000_000_000L),
        section.integer("reorder-packets", 1, 1_000),
        section.nanos("silence", 1_000_000L, MAX_NS),
        section.nanos("probe-period", 1_000_000L, MAX_NS),
        section.integer("unanswered-probes", 1, 1_000),
        section.nanos("opening-timeout", 1_000_000L, MAX_NS),
        section.nanos("fail-after", 1_000_000L, MAX_NS),
        section.nanos("keep-alive", 1_000_000L, MAX_NS));
  }
}
