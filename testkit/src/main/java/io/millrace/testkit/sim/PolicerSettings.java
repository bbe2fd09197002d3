package io.millrace.testkit.sim;

import io.millrace.testkit.internal.base.Checks;

/**
 * A token bucket for each flow (pair of ports) that drops what is over the rate, as clouds do.
 *
 * @param bytesPerSecond 0 is no policer
 * @param burstBytes size of the bucket, which is full at first
 */
public record PolicerSettings(long bytesPerSecond, long burstBytes) {
  /** No policer. */
  public static final PolicerSettings NONE = new PolicerSettings(0, 0);

  /** Checks that nothing is negative. */
  public PolicerSettings {
    Checks.notNegative("a policer", Math.min(bytesPerSecond, burstBytes));
  }
}
