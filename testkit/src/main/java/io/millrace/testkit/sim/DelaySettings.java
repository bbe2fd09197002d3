package io.millrace.testkit.sim;

import io.millrace.testkit.internal.base.Checks;

/**
 * How long datagrams travel.
 *
 * @param fixedNs all of them, ns
 * @param jitterMeanNs added to each, exponentially distributed, ns
 * @param tailPpm of a million datagrams, how many meet something rare and long
 * @param tailMeanNs which is added to those, exponentially distributed, ns
 * @param inOrder a datagram waits for those sent before it; otherwise jitter makes them overtake
 */
public record DelaySettings(
    long fixedNs, long jitterMeanNs, int tailPpm, long tailMeanNs, boolean inOrder) {
  /** Checks that no time is negative. */
  public DelaySettings {
    Checks.notNegative("a delay", Math.min(fixedNs, Math.min(jitterMeanNs, tailMeanNs)));
    Checks.ppm("a long delay", tailPpm);
  }

  /** Always the same, in order. */
  public static DelaySettings fixed(long fixedNs) {
    return new DelaySettings(fixedNs, 0, 0, 0, true);
  }
}
