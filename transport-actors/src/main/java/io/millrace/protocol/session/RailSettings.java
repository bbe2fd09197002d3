package io.millrace.protocol.session;

/**
 * The times at which a path leaves a rail, and tries a left rail again.
 *
 * @param silenceNs how long nothing may be acknowledged, while something should be, ns
 * @param firstHoldNs how long a rail is left alone after its first failure, ns
 * @param longestHoldNs the longest time that a rail is left alone, whatever the rail did before, ns
 */
public record RailSettings(long silenceNs, long firstHoldNs, long longestHoldNs) {
  /** 150 ms; 500 ms, doubling, up to 60 s. */
  public static final RailSettings DEFAULT =
      new RailSettings(150_000_000L, 500_000_000L, 60_000_000_000L);

  /** Checks the values. */
  public RailSettings {
    if (silenceNs < 1 || firstHoldNs < 1 || longestHoldNs < firstHoldNs) {
      throw new IllegalArgumentException("rail settings out of range");
    }
  }
}
