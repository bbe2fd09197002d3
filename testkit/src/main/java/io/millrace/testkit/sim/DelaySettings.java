package io.millrace.testkit.sim;

import io.millrace.testkit.internal.base.Checks;

/**
 * The travel times of datagrams on a link.
 *
 * @param fixedNs delay of every datagram, ns
 * @param jitterMeanNs mean of the delay added to each datagram, exponentially distributed, ns
 * @param tailPpm datagrams of a million with a rare and long extra delay
 * @param tailMeanNs mean of this extra delay, exponentially distributed, ns
 * @param inOrder whether a datagram waits for earlier datagrams; otherwise jitter makes datagrams
 *     overtake
 */
public record DelaySettings(
    long fixedNs, long jitterMeanNs, int tailPpm, long tailMeanNs, boolean inOrder) {
  /** Checks that no time is negative and that the chance is in range. */
  public DelaySettings {
    Checks.notNegative("a delay", Math.min(fixedNs, Math.min(jitterMeanNs, tailMeanNs)));
    Checks.ppm("a long delay", tailPpm);
  }

  /** The same delay for every datagram, in order. */
  public static DelaySettings fixed(long fixedNs) {
    return new DelaySettings(fixedNs, 0, 0, 0, true);
  }
}
