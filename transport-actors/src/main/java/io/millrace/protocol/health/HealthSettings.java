package io.millrace.protocol.health;

/**
 * The conditions of a peer's health.
 *
 * @param outcomes the memory of the failure rate, in packets: as many new packets weigh as much as
 *     all before
 * @param degradePercent a failure rate from which on a peer is degraded
 * @param recoverPercent a failure rate up to which the peer is healthy again; less than the degrade
 *     rate
 * @param degradedTimeoutNs how long much may fail before the peer is probed, ns
 * @param answeredProbes probes that must be answered in a row before calls are sent again, 1 to 15
 */
public record HealthSettings(
    int outcomes,
    int degradePercent,
    int recoverPercent,
    long degradedTimeoutNs,
    int answeredProbes) {
  /** 32 outcomes, 30 % and 10 %, 5 s, 3 probes. */
  public static final HealthSettings DEFAULT = new HealthSettings(32, 30, 10, 5_000_000_000L, 3);

  /** The most probes that can be counted. */
  public static final int MOST_PROBES = 15;

  private static final int MOST_OUTCOMES = 1 << 16;
  private static final int ALL = 100;

  /** Checks the values. */
  public HealthSettings {
    check("outcomes", outcomes, 1, MOST_OUTCOMES);
    check("degradePercent", degradePercent, 1, ALL);
    check("recoverPercent", recoverPercent, 0, degradePercent - 1);
    check("degradedTimeoutNs", degradedTimeoutNs, 1, Long.MAX_VALUE);
    check("answeredProbes", answeredProbes, 1, MOST_PROBES);
  }

  private static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be in " + least + ".." + most + ": " + value);
    }
  }
}
