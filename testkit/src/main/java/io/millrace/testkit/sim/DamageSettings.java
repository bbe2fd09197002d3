package io.millrace.testkit.sim;

import io.millrace.testkit.internal.base.Checks;

/**
 * The damage of datagrams besides loss.
 *
 * @param duplicatePpm datagrams of a million that arrive twice
 * @param reorderPpm datagrams of a million that later datagrams overtake
 * @param reorderMaxNs most extra delay of overtaken datagrams and of second copies, ns
 * @param corruptPpm datagrams of a million that arrive with one to three bits flipped
 * @param truncatePpm datagrams of a million that arrive without an end
 */
public record DamageSettings(
    int duplicatePpm, int reorderPpm, long reorderMaxNs, int corruptPpm, int truncatePpm) {
  /** Nothing. */
  public static final DamageSettings NONE = new DamageSettings(0, 0, 0, 0, 0);

  /** Checks the chances. */
  public DamageSettings {
    Checks.ppm("duplication", duplicatePpm);
    Checks.ppm("reordering", reorderPpm);
    Checks.notNegative("a delay", reorderMaxNs);
    Checks.ppm("corruption", corruptPpm);
    Checks.ppm("truncation", truncatePpm);
  }
}
