package io.millrace.samples.bench;

import java.util.concurrent.TimeUnit;

/**
 * Decides which parts of a bench run fit in the available time. The run announces the duration of
 * its plan, and ends within twice that time. If starting the processes alone takes so long that the
 * plan no longer fits, a new time is announced. Warming up beyond the plan may take half of the
 * announced time. Rounds and repeats keep to a schedule, which spreads the time from the first
 * round to the end evenly over all rounds. A round behind the schedule is not repeated, and a round
 * further behind is not run. The caller passes the time in; one thread.
 */
final class BenchBudget {
  /** The longest duration of a run, as a multiple of the announced time. */
  static final int MOST = 2;

  private final long roundsNs;
  private final long startNs;
  private long announcedNs;
  private long endNs;
  private long aheadLeftNs;
  private long roundsDoneNs;
  private long roundsStartNs;
  private long runPlannedNs;
  private long runTookNs;

  /**
   * A budget for a run that begins.
   *
   * @param aheadNs the planned time for starting and warming up
   * @param roundsNs the planned time for all rounds, without repeats
   */
  BenchBudget(long aheadNs, long roundsNs, long startNs) {
    this.roundsNs = roundsNs;
    this.startNs = startNs;
    aheadLeftNs = aheadNs;
    announce(startNs);
  }

  private void announce(long nowNs) {
    announcedNs = nowNs - startNs + aheadLeftNs + roundsNs;
    endNs = startNs + MOST * announcedNs;
  }

  /** The duration of the plan. */
  long announcedNs() {
    return announcedNs;
  }

  /** Records the start of all processes; returns whether the run must announce a new time. */
  boolean onStarted(long plannedNs, long nowNs) {
    aheadLeftNs -= plannedNs;
    boolean fits = nowNs + aheadLeftNs + roundsNs <= endNs;
    if (!fits) {
      announce(nowNs);
    }
    return !fits;
  }

  /** Records the end of a step ahead of the rounds, with the planned duration of the step. */
  void onAhead(long plannedNs) {
    aheadLeftNs -= plannedNs;
  }

  /** The first round begins. */
  void onRoundsStart(long nowNs) {
    roundsStartNs = nowNs;
  }

  /**
   * Records the end of a step of the rounds. If a step takes longer than planned, the budget
   * expects the same delay of the next steps.
   */
  void onRun(long plannedNs, long tookNs) {
    roundsDoneNs += plannedNs;
    runPlannedNs += plannedNs;
    runTookNs += tookNs;
  }

  /** Records that a step of the rounds is left out. */
  void onLeftOut(long plannedNs) {
    roundsDoneNs += plannedNs;
  }

  /** Whether a peer may warm up for a further slice, beyond the plan. */
  boolean mayWarmUp(long sliceNs, long nowNs) {
    long spareNs = endNs - nowNs - aheadLeftNs - roundsNs;
    return spareNs - sliceNs >= announcedNs / 2;
  }

  /** Whether the next rounds of the plan may be run. */
  boolean mayRun(long plannedNs, long nowNs) {
    return nowNs + expectedNs(plannedNs) <= dueNs(roundsDoneNs + plannedNs);
  }

  /** Whether a finished round may run again. */
  boolean mayRepeat(long roundNs, long nowNs) {
    return nowNs + expectedNs(roundNs) <= dueNs(roundsDoneNs);
  }

  private long expectedNs(long plannedNs) {
    double pace = (double) runTookNs / Math.max(1, runPlannedNs);
    return Math.round(plannedNs * Math.max(1, pace));
  }

  /** The time by which {@code doneNs} of the planned rounds should be done. */
  private long dueNs(long doneNs) {
    double windowNs = endNs - roundsStartNs;
    return roundsStartNs + Math.round(windowNs * doneNs / Math.max(1, roundsNs));
  }

  /** A time in the form for users. */
  static String text(long ns) {
    long seconds = Math.ceilDiv(ns, TimeUnit.SECONDS.toNanos(1));
    return seconds < 100 ? seconds + " s" : "%d min %d s".formatted(seconds / 60, seconds % 60);
  }
}
