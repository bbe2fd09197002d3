package io.millrace.config;

import java.util.Arrays;
import java.util.List;

/**
 * The choice among priorities.
 *
 * @param policy weighted or strict
 * @param weights eight positive weights, priority 0 first
 */
public record SchedulerSettings(SchedulerPolicy policy, List<Integer> weights) {
  private static final int LEVELS = 8;
  private static final int MAX_WEIGHT = 4_096;
  private static final int ALL_PERCENT = 100;

  static SchedulerSettings from(Section section) {
    List<Integer> weights = section.integers("weights");
    if (weights.size() != LEVELS) {
      throw new SettingsException(
          section.key("weights"),
          "must have 8 entries, one for each priority, not " + weights.size());
    }
    if (weights.stream().anyMatch(weight -> weight < 1 || weight > MAX_WEIGHT)) {
      throw new SettingsException(
          section.key("weights"), "must each be from 1 to 4096, not " + weights);
    }
    return new SchedulerSettings(section.choice("policy", SchedulerPolicy.class), weights);
  }

  /**
   * The weights, of which each is raised to the least part of the sum of the raised weights.
   *
   * @param leastPercent the part that each priority has at least, percent
   */
  public int[] weightsWith(int leastPercent) {
    int[] raised = weights.stream().mapToInt(Integer::intValue).toArray();
    int before;
    int least = 0;
    // Each round raises the sum. The rounds end: eight times the least part is below the sum.
    do {
      before = least;
      least = Math.ceilDiv(Arrays.stream(raised).sum() * leastPercent, ALL_PERCENT);
      for (int i = 0; i < raised.length; i++) {
        raised[i] = Math.max(raised[i], least);
      }
    } while (least > before);
    return raised;
  }
}
