package io.millrace.testkit.sim;

import io.millrace.testkit.internal.base.Checks;

/**
 * Random loss.
 *
 * @param ppm datagrams of a million that are lost singly
 * @param burstPpm datagrams of a million with which a burst begins
 * @param burstMaxPackets consecutive datagrams that a burst takes, at most; each number is equally
 *     likely
 */
public record LossSettings(int ppm, int burstPpm, int burstMaxPackets) {
  /** None. */
  public static final LossSettings NONE = new LossSettings(0, 0, 0);

  /** Checks the chances. */
  public LossSettings {
    Checks.ppm("loss", ppm);
    Checks.ppm("a burst", burstPpm);
    Checks.notNegative("a burst", burstMaxPackets);
  }

  /** Single losses at this chance, without bursts. */
  public static LossSettings random(int ppm) {
    return new LossSettings(ppm, 0, 0);
  }
}
