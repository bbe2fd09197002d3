package io.millrace.testkit.sim;

import io.millrace.testkit.internal.base.Checks;

/**
 * A token bucket for each flow (pair of ports) that drops the excess over the rate, as clouds do.
 *
 * @param bytesPerSecond rate of each flow; 0 is no policer
 * @param burstBytes size of the bucket, which is full at first
 */
public record PolicerSettings(long bytesPerSecond, long burstBytes) {
  /** No policer. */
  public static final PolicerSettings NONE = new PolicerSettings(0, 0);

  /** Checks that no number is negative. */
  public PolicerSettings {
    Checks.notNegative("a policer", Math.min(bytesPerSecond, burstBytes));
  }
}
