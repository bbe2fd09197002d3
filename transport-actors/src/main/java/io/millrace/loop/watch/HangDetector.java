package io.millrace.loop.watch;

import java.util.Arrays;

/**
 * Decides which workers hang: workers with a driving thread, with processor time or the chance of
 * processor time, and without a finished turn for a time.
 *
 * <p>Each look charges a worker that stands still with the processor time of the worker's thread.
 * If the thread is blocked in a lock or a system call, the look also charges the time in which the
 * thread neither ran nor waited for a core. A thread that waits for a core is charged nothing: the
 * machine is busy. Where the system does not tell these times, a look charges all the time since
 * the look before.
 *
 * <p>Only time counts in which the watchdog itself ran on schedule. The watchdog looks often, and a
 * late look says that the whole process stood still or starved, for a collection, a debugger,
 * SIGSTOP, or other processes. Such a look charges processor time alone, and a single period at
 * most: a suspended virtual machine may count its pause as processor time.
 *
 * <p>Owned by the watchdog's thread; time is passed in; a look does not allocate.
 */
final class HangDetector {
  /** The value for unknown times of a thread. */
  static final long UNKNOWN = -1;

  /** A look that comes after this number of periods is late. */
  private static final int LATE_PERIODS = 2;

  private final long hangAfterNs;
  private final long periodNs;
  private final long restNs;
  private final long[] progress;

  /**
   * The largest possible charge since the worker stood still; bounds the times that the system
   * tells.
   */
  private final long[] allowedNs;

  private final long[] chargedNs;

  /** Times of the worker's thread at the last look; {@link #UNKNOWN} if nobody asked. */
  private final long[] runNs;

  private final long[] waitNs;
  private final boolean[] isTold;
  private long lastLookNs;
  private long elapsedNs;
  private boolean isLate;

  /** Workers that the last look found asleep, without progress since the look before. */
  private int resting;

  /**
   * Watches workers 0, 1 and so on.
   *
   * @param periodNs between two looks
   * @param restNs between two looks while all workers sleep; the look after a rest counts as late
   */
  HangDetector(int workers, long hangAfterNs, long periodNs, long restNs, long nowNs) {
    this.hangAfterNs = hangAfterNs;
    this.periodNs = periodNs;
    this.restNs = restNs;
    this.progress = new long[workers];
    this.allowedNs = new long[workers];
    this.chargedNs = new long[workers];
    this.runNs = new long[workers];
    this.waitNs = new long[workers];
    this.isTold = new boolean[workers];
    this.lastLookNs = nowNs;
    Arrays.fill(runNs, UNKNOWN);
  }

  /** The time of the next look. */
  long nextDeadlineNs() {
    return lastLookNs + (resting == progress.length ? restNs : periodNs);
  }

  /**
   * A look begins; {@link #onAsleep}, {@link #onMoving} or {@link #onStanding} follows for each
   * worker.
   */
  void onLook(long nowNs) {
    elapsedNs = nowNs - lastLookNs;
    isLate = elapsedNs > LATE_PERIODS * periodNs;
    lastLookNs = nowNs;
    resting = 0;
  }

  /** Whether a worker has made no progress since the look before. */
  boolean isStanding(int worker, long progress) {
    return progress == this.progress[worker];
  }

  /**
   * No thread should be bringing a worker on: the thread sleeps, or no thread drives the worker's
   * loop.
   *
   * @param progress a number that changes with any progress of the worker
   */
  void onAsleep(int worker, long progress) {
    resting += isStanding(worker, progress) ? 1 : 0;
    restart(worker, progress);
  }

  /**
   * A worker has made progress.
   *
   * @param progress a number that changes with any progress of the worker
   */
  void onMoving(int worker, long progress) {
    restart(worker, progress);
  }

  private void restart(int worker, long progress) {
    this.progress[worker] = progress;
    allowedNs[worker] = 0;
    chargedNs[worker] = 0;
    runNs[worker] = UNKNOWN;
    waitNs[worker] = UNKNOWN;
    isTold[worker] = false;
  }

  /**
   * A worker stands still although a thread should be driving the worker.
   *
   * @param runNs processor time of the thread since its begin, or {@link #UNKNOWN}
   * @param waitNs the thread's waiting time for a core since its begin, or {@link #UNKNOWN}
   * @param isBlocked whether the thread waits for something other than a core
   * @return whether the worker hangs; a hang is told once until the worker moves again
   */
  boolean onStanding(int worker, long runNs, long waitNs, boolean isBlocked) {
    allowedNs[worker] += isLate ? periodNs : elapsedNs;
    chargedNs[worker] += charge(worker, runNs, waitNs, isBlocked);
    this.runNs[worker] = runNs;
    this.waitNs[worker] = waitNs;
    boolean isNew = hungNs(worker) >= hangAfterNs && !isTold[worker];
    isTold[worker] |= isNew;
    assert invariantsHold(worker);
    return isNew;
  }

  private long charge(int worker, long runNs, long waitNs, boolean isBlocked) {
    if (runNs == UNKNOWN || this.runNs[worker] == UNKNOWN) {
      return isLate ? 0 : elapsedNs;
    }
    long ranNs = Math.max(0, runNs - this.runNs[worker]);
    if (!isBlocked || isLate) {
      return ranNs;
    }
    long waitedNs = Math.max(0, waitNs - this.waitNs[worker]);
    return ranNs + Math.max(0, elapsedNs - ranNs - waitedNs);
  }

  /** The time of a worker without progress, as far as the time counts. */
  long hungNs(int worker) {
    return Math.min(allowedNs[worker], chargedNs[worker]);
  }

  private boolean invariantsHold(int worker) {
    return hungNs(worker) >= 0 && (!isTold[worker] || hungNs(worker) >= hangAfterNs);
  }
}
