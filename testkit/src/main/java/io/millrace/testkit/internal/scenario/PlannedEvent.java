package io.millrace.testkit.internal.scenario;

import java.util.Locale;

/**
 * An event that a scenario planned.
 *
 * @param isFault whether the event is a fault; otherwise a step of the workload
 * @param number of the event among its kind, in the order of planning; the same in every run of a
 *     seed, whatever the run leaves out
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
