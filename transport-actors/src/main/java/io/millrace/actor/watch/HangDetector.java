package io.millrace.actor.watch;

/**
 * Decides which workers hang: those that somebody drives and that make no progress for a time.
 *
 * <p>Only time counts in which the watchdog itself ran on schedule. It looks often, and a look that
 * comes late says that everything stood still, for a collection, a debugger or SIGSTOP: the time
 * since the look before is then counted against nobody. Owned by the watchdog's thread; time is
 * passed in; a look does not allocate.
 */
final class HangDetector {
  /** Looks in the time after which a worker hangs; more bring less and cost more. */
  static final int LOOKS = 20;

  /** A look that comes after so many periods is late. */
  private static final int LATE_PERIODS = 2;

  private final long hangAfterNs;
  private final long periodNs;
  private final long[] progress;
  private final long[] hungNs;
  private final boolean[] isTold;
  private long lastLookNs;
  private long countedNs;

  HangDetector(int workers, long hangAfterNs, long nowNs) {
    this.hangAfterNs = hangAfterNs;
    this.periodNs = Math.max(1, hangAfterNs / LOOKS);
    this.progress = new long[workers];
    this.hungNs = new long[workers];
    this.isTold = new boolean[workers];
    this.lastLookNs = nowNs;
  }

  /** When the next look is due. */
  long nextDeadlineNs() {
    return lastLookNs + periodNs;
  }

  /** A look begins; {@link #onWorker} follows for each worker. */
  void onLook(long nowNs) {
    long elapsedNs = nowNs - lastLookNs;
    countedNs = elapsedNs <= LATE_PERIODS * periodNs ? elapsedNs : 0;
    lastLookNs = nowNs;
  }

  /**
   * What is seen of one worker.
   *
   * @param isDriven whether a thread should be bringing it on
   * @param progress what differs once it has done something
   * @return whether it hangs, which is told once until it moves again
   */
  boolean onWorker(int worker, boolean isDriven, long progress) {
    if (!isDriven || progress != this.progress[worker]) {
      this.progress[worker] = progress;
      hungNs[worker] = 0;
      isTold[worker] = false;
      return false;
    }
    hungNs[worker] += countedNs;
    boolean isNew = hungNs[worker] >= hangAfterNs && !isTold[worker];
    isTold[worker] |= isNew;
    assert invariantsHold(worker);
    return isNew;
  }

  /** How long a worker has made no progress, as far as it counts. */
  long hungNs(int worker) {
    return hungNs[worker];
  }

  private boolean invariantsHold(int worker) {
    return hungNs[worker] >= 0 && (!isTold[worker] || hungNs[worker] >= hangAfterNs);
  }
}
