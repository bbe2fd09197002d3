package io.millrace.testkit.sim;

import io.millrace.testkit.internal.base.Checks;

/**
 * Random loss.
 *
 * @param ppm datagrams of a million that are lost one by one
 * @param burstPpm datagrams of a million with which a burst begins
 * @param burstMaxPackets consecutive datagrams that a burst takes, at most; each number is as
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

  /** One by one. */
  public static LossSettings random(int ppm) {
    return new LossSettings(ppm, 0, 0);
  }
}
