package io.millrace.node;

import java.time.Duration;

/**
 * The work of a warm-up.
 *
 * @param lasted the time from the begin of the warm-up until nothing of the warm-up was left
 * @param transfers calls, streams and bulk transfers that ended well
 * @param isQuiet whether the compilers of the JVM had nothing left to do; false if the limit came
 *     first, if the transport was closed, or if the JVM does not tell how long its compilers work
 */
public record WarmUpReport(Duration lasted, long transfers, boolean isQuiet) {
  private static final Duration LONGEST = Duration.ofHours(1);

  /** The report of a node in a simulation, whose time has nothing to do with compilers. */
  public static final WarmUpReport NOTHING = new WarmUpReport(Duration.ZERO, 0, true);

  /**
   * Checks how long a warm-up may take.
   *
   * @throws IllegalArgumentException if the limit is not positive, or more than an hour
   */
  public static void requireLimit(Duration limit) {
    if (limit.isNegative() || limit.isZero() || limit.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a warm-up of " + limit + " is not more than nothing and up to an hour");
    }
  }
}
