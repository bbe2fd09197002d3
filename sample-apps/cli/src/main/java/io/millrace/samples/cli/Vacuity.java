package io.millrace.samples.cli;

import io.millrace.samples.sim.RareThings;
import io.millrace.samples.sim.Scenarios;
import io.millrace.testkit.internal.oracle.Coverage.Mark;
import io.millrace.testkit.internal.scenario.BatchResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether runs without a broken rule say anything: the runs must have done work, and many
 * runs must have come to the rare situations.
 */
final class Vacuity {
  /** This number of seeds comes to every rare situation of their scenario. */
  static final int MANY_SEEDS = 1_000;

  private static final int MOST_NAMED = 10;

  private Vacuity() {}

  /**
   * Returns the reason why these runs say nothing, for people; null for runs that say something.
   */
  static @Nullable String words(String scenario, BatchResult result) {
    if (Scenarios.isCanary(scenario) || !result.failures().isEmpty()) {
      return null;
    }
    if (result.totals().executions() == 0) {
      return "nothing was executed in any run, so that no rule was tried";
    }
    List<String> undrawn = DrawnDemands.missing(scenario, result.ran(), result.coverage().drawn());
    if (!undrawn.isEmpty()) {
      return Figures.count(result.ran()) + " runs never drew " + words(undrawn);
    }
    List<Mark> missing = result.coverage().missing(RareThings.of(scenario));
    if (result.ran() < MANY_SEEDS || missing.isEmpty()) {
      return null;
    }
    return Figures.count(result.ran()) + " runs never came to these rare situations: " + missing;
  }

  private static String words(List<String> missing) {
    String first = String.join(", ", missing.subList(0, Math.min(MOST_NAMED, missing.size())));
    int more = missing.size() - MOST_NAMED;
    return more > 0 ? first + " and " + more + " more" : first;
  }
}
