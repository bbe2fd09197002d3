package io.millrace.protocol.recovery;

/**
 * The times at which a path that hears nothing asks again.
 *
 * @param rttMultiplier the first interval in smoothed round trips, 1 or more
 * @param backoffFactor by how much each interval grows while nothing arrives, 1 or more
 * @param capNs the interval at which growth stops, ns; a larger first interval stays unchanged
 * @param jitterPercent how far an interval strays at most, 0 to 50
 * @param jitterSeed the seed of the jitter; different for different paths
 */
public record ProbeTimeoutSettings(
    int rttMultiplier, int backoffFactor, long capNs, int jitterPercent, long jitterSeed) {
  /** Three round trips, doubling up to 1 s, 10 % of jitter from seed 0. */
  public static final ProbeTimeoutSettings DEFAULT =
      new ProbeTimeoutSettings(3, 2, 1_000_000_000L, 10, 0);

  private static final long MAX_CAP_NS = 1L << 40;

  /** Checks the values. */
  public ProbeTimeoutSettings {
    if (rttMultiplier < 1 || rttMultiplier > 1024) {
      throw new IllegalArgumentException("rttMultiplier must be in 1..1024: " + rttMultiplier);
    }
    if (backoffFactor < 1 || backoffFactor > 16) {
      throw new IllegalArgumentException("backoffFactor must be in 1..16: " + backoffFactor);
    }
    if (capNs < 1 || capNs > MAX_CAP_NS) {
      throw new IllegalArgumentException("capNs must be in 1.." + MAX_CAP_NS + ": " + capNs);
    }
    if (jitterPercent < 0 || jitterPercent > 50) {
      throw new IllegalArgumentException("jitterPercent must be in 0..50: " + jitterPercent);
    }
  }

  /** Returns these settings with another seed. */
  public ProbeTimeoutSettings withJitterSeed(long seed) {
    return new ProbeTimeoutSettings(rttMultiplier, backoffFactor, capNs, jitterPercent, seed);
  }
}
