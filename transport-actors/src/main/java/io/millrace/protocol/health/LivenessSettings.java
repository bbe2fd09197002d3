package io.millrace.protocol.health;

/**
 * When a silent peer is probed and given up.
 *
 * @param minSilenceNs the least silence before the first probe, ns
 * @param silenceProbeIntervals the silence before the first probe in intervals of the probe
 *     timeout, if that is longer; {@code maxProbingNs} at most
 * @param probePeriodNs from the first probe to the second, ns
 * @param backoffFactor by how much each period grows, 1 or more
 * @param maxUnansweredProbes how many periods with a probe may pass without any packet
 * @param maxProbingNs how long a peer may be probed without any packet, ns
 * @param idleSilenceNs the silence before the first probe while nothing is outstanding, ns; at
 *     least as long as while something is
 */
public record LivenessSettings(
    long minSilenceNs,
    int silenceProbeIntervals,
    long probePeriodNs,
    int backoffFactor,
    int maxUnansweredProbes,
    long maxProbingNs,
    long idleSilenceNs) {
  /** max(3 intervals, 250 ms); 100 ms doubling; 5 probes or 3 s; 10 s while idle. */
  public static final LivenessSettings DEFAULT =
      new LivenessSettings(250_000_000L, 3, 100_000_000L, 2, 5, 3_000_000_000L, 10_000_000_000L);

  private static final long MAX_NS = 1L << 40;

  /** Checks the values. */
  public LivenessSettings {
    check("minSilenceNs", minSilenceNs, MAX_NS);
    check("silenceProbeIntervals", silenceProbeIntervals, 1024);
    check("probePeriodNs", probePeriodNs, MAX_NS);
    check("backoffFactor", backoffFactor, 16);
    check("maxUnansweredProbes", maxUnansweredProbes, 1024);
    check("maxProbingNs", maxProbingNs, MAX_NS);
    check("idleSilenceNs", idleSilenceNs, MAX_NS);
  }

  private static void check(String name, long value, long limit) {
    if (value < 1 || value > limit) {
      throw new IllegalArgumentException(name + " must be in 1.." + limit + ": " + value);
    }
  }
}
