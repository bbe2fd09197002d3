package io.millrace.samples.overload;

import java.util.Arrays;

/**
 * The load of a run.
 *
 * @param bottleneck the part that limits the completed calls
 * @param callers nodes that call the one serving node
 * @param factor offered calls, in multiples of the calls that the bottleneck can do
 * @param shares offered calls of each priority, 0 first, in percent; together 100
 * @param times the times of the run
 * @param settings further settings of all nodes in HOCON; empty for none
 */
public record OverloadPlan(
    Bottleneck bottleneck, int callers, double factor, int[] shares, Times times, String settings) {
  private static final int ALL = 100;

  /** The part of the cluster that limits the completed calls. */
  public enum Bottleneck {
    /** One thread runs all handlers; each call takes {@link #SERVICE_NS}. */
    HANDLERS,
    /** The send rate of each caller's NIC. */
    NIC
  }

  /** The time of a call in its handler, ns. */
  public static final long SERVICE_NS = 200_000;

  /** Calls that the bottleneck can do in a second, about. */
  public static final int CAPACITY_PER_S = (int) (1_000_000_000L / SERVICE_NS);

  /**
   * The times of a run, ns.
   *
   * @param warmNs time under load ahead of the measurement
   * @param measuredNs time of the measurement
   * @param deadlineNs deadline of each call; 0 for none
   */
  public record Times(long warmNs, long measuredNs, long deadlineNs) {
    /** The end of the measurement, after the beginning of the load. */
    long endNs() {
      return warmNs + measuredNs;
    }
  }

  /** Few urgent calls, and more and more calls of lower priorities. */
  public static int[] usualShares() {
    return new int[] {2, 3, 0, 15, 0, 30, 0, 50};
  }

  /** Checks the ranges. */
  public OverloadPlan {
    if (Arrays.stream(shares).sum() != ALL || Arrays.stream(shares).anyMatch(share -> share < 0)) {
      throw new IllegalArgumentException("shares of " + Arrays.toString(shares) + " percent");
    }
    if (callers < 1 || factor <= 0) {
      throw new IllegalArgumentException(callers + " callers, factor " + factor);
    }
  }

  /** The same load in another multiple. */
  public OverloadPlan withFactor(double other) {
    return new OverloadPlan(bottleneck, callers, other, shares, times, settings);
  }

  /** Offered calls of each caller in a second. */
  double callsPerCallerS() {
    return CAPACITY_PER_S * factor / callers;
  }

  /** The priority of the call with this draw out of 100. */
  int priority(int draw) {
    int left = draw;
    int level = 0;
    while (left >= shares[level]) {
      left -= shares[level];
      level++;
    }
    return level;
  }
}
