package io.millrace.config;

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
   * The weights, of which each is raised to the least part of their sum.
   *
   * @param leastPercent the part that each priority has at least, percent
   */
  public int[] weightsWith(int leastPercent) {
    int sum = weights.stream().mapToInt(Integer::intValue).sum();
    int least = Math.ceilDiv(sum * leastPercent, ALL_PERCENT);
    return weights.stream().mapToInt(weight -> Math.max(weight, least)).toArray();
  }
}
