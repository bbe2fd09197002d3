package io.millrace.driver;

import java.util.random.RandomGenerator;

/**
 * The back-off from one destination whose receiver reports that it has no free receive buffer.
 *
 * <p>After the first report of an operation, the driver repeats the operation at once. From the
 * second report on, nothing goes to the destination for a random wait, which doubles from wait to
 * wait, from {@link NotReadySettings#firstWaitNs()} up to {@link NotReadySettings#longestWaitNs()}.
 * A success of any operation ends the wait; without a success the wait ends by its time. A wait
 * lies between half and all of its limit, so that many senders do not come back together, and is
 * never shorter than the first wait. Time comes in; on one thread; does not allocate.
 */
public final class NotReadyBackoff {
  private static final long NEVER = Long.MIN_VALUE;

  private final NotReadySettings settings;
  private final RandomGenerator random;

  /** Time of the first report since the last success, or NEVER. */
  private long sinceNs = NEVER;

  /** End of the wait, or NEVER. */
  private long untilNs = NEVER;

  /** Limit of the last wait since the last success, or 0. */
  private long limitNs;

  /**
   * A destination that is ready.
   *
   * @param random chooses the waits
   */
  public NotReadyBackoff(NotReadySettings settings, RandomGenerator random) {
    this.settings = settings;
    this.random = random;
  }

  /**
   * The receiver of an operation was not ready. Begins a wait after the second report of an
   * operation, unless a wait is under way: its reports answer operations posted before.
   *
   * @param isRepeat whether the operation was repeated before
   */
  public void onNotReady(boolean isRepeat, long nowNs) {
    if (sinceNs == NEVER) {
      sinceNs = nowNs;
    }
    if (isRepeat && !isWaiting(nowNs)) {
      long half = limitNs == 0 ? settings.firstWaitNs() : limitNs;
      long longest = settings.longestWaitNs();
      limitNs = half > longest / 2 ? longest : 2 * half;
      long least = Math.max(limitNs / 2, settings.firstWaitNs());
      untilNs = nowNs + least + random.nextLong(limitNs - least + 1);
    }
  }

  /** An operation reached the receiver; the destination counts as ready. */
  public void onSuccess() {
    sinceNs = NEVER;
    untilNs = NEVER;
    limitNs = 0;
  }

  /** Whether the receiver was not ready, and no operation reached the receiver since. */
  public boolean isUnready() {
    return sinceNs != NEVER;
  }

  /** Whether nothing may go to the destination now. */
  public boolean isWaiting(long nowNs) {
    return untilNs != NEVER && nowNs - untilNs < 0;
  }

  /** The end of the latest wait, ns; {@link Long#MIN_VALUE} if there was none since a success. */
  public long waitEndNs() {
    return untilNs;
  }

  /** Whether the receiver has not been ready for longer than {@code givenUpAfterNs}. */
  public boolean isUnreadyFor(long givenUpAfterNs, long nowNs) {
    return sinceNs != NEVER && nowNs - sinceNs > givenUpAfterNs;
  }
}
