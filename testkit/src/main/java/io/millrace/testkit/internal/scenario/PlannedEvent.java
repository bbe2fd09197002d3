package io.millrace.testkit.internal.scenario;

import java.util.Locale;

/**
 * Something that a scenario planned.
 *
 * @param isFault whether it is a fault; otherwise a step of the workload
 * @param number which; of its kind, in the order of planning, so that it is the same in every run
 *     of a seed whatever is left out
 * @param atNs when, virtual ns
 * @param words for people
 */
public record PlannedEvent(boolean isFault, int number, long atNs, String words) {
  private static final double NS_PER_MS = 1e6;

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%s%d at %.3f ms: %s", isFault ? "f" : "w", number, atNs / NS_PER_MS, words);
  }
}
