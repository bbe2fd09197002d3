package io.millrace.samples.overload;

import io.millrace.transfer.CallOutcome;
import java.util.List;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param factor offered calls, in multiples of the calls that the bottleneck can do
 * @param measuredNs time of the measurement, ns
 * @param levels the priorities with offered calls, 0 first
 * @param peakBytes the most payload bytes of calls under way at any moment, of all callers
 * @param peakCalls the most calls under way at any moment, of all callers
 */
public record OverloadResult(
    double factor, long measuredNs, List<Level> levels, long peakBytes, int peakCalls) {
  private static final double SECOND_NS = 1e9;

  /**
   * The calls of one priority.
   *
   * @param priority the priority
   * @param offered calls begun in the measured time
   * @param completed calls that ended well in the measured time
   * @param failed failures in the measured time, by outcome
   * @param retryAfter failures that said for how long to stay away
   * @param p50Ns half of the completed calls took no longer
   * @param p99Ns 99 of 100 completed calls took no longer
   */
  public record Level(
      int priority,
      int offered,
      int completed,
      Map<CallOutcome, Integer> failed,
      int retryAfter,
      long p50Ns,
      long p99Ns) {}

  /** Calls begun in a second of the measured time. */
  public double offeredPerS() {
    return levels.stream().mapToInt(Level::offered).sum() * SECOND_NS / measuredNs;
  }

  /** Calls that ended well in a second of the measured time. */
  public double completedPerS() {
    return levels.stream().mapToInt(Level::completed).sum() * SECOND_NS / measuredNs;
  }

  /** The calls of this priority. */
  public Level level(int priority) {
    return levels.stream()
        .filter(level -> level.priority() == priority)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no calls of priority " + priority));
  }
}
