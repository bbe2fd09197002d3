package io.millrace.testkit.sim;

import io.millrace.testkit.internal.base.Checks;

/**
 * What else happens to datagrams.
 *
 * @param duplicatePpm of a million, how many arrive twice
 * @param reorderPpm of a million, how many are overtaken
 * @param reorderMaxNs how late those come, and second copies, at most, ns
 * @param corruptPpm of a million, how many arrive with one to three bits flipped
 * @param truncatePpm of a million, how many arrive without their end
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
