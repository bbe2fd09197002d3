package io.millrace.path.packet;

import io.millrace.protocol.schedule.TimingWheel;

/**
 * The time of one worker: of the present turn or command, and of the worker's two wheels of timers,
 * which a turn advances. On the worker's thread. Time comes in by {@link #onTurn} and nowhere else:
 * no path reads or has a clock.
 */
public final class WorkerTime {
  /** A tick and the slots of the wheel of paced paths: at 400 Gbit/s a train takes 1.3 us. */
  private static final long PACE_TICK_NS = 1_024;

  private static final int PACE_SLOTS = 1_024;

  /** A turn that comes so late tells that the worker stood still: its thread, process or host. */
  static final long ABSENCE_NS = 150_000_000;

  /**
   * The share of each absence that counts as time, up to a bound for long stalls: even a worker
   * that is late in each turn gives a dead peer up.
   */
  private static final int COUNTED_SHARE = 10;

  private static final long MOST_COUNTED_NS = 30_000_000;

  /**
   * A stall may have begun in the rest ahead of the wanted wake: so much of the rest is forgiven. A
   * longer rest counts, because a packet would have woken the worker.
   */
  static final long FORGIVEN_REST_NS = 100_000_000;

  private final TimingWheel wheel;
  private final TimingWheel paced;
  private long turnNs;
  private long absentNs;

  /** Times from the wheel's time on. */
  public WorkerTime(TimingWheel wheel) {
    this.wheel = wheel;
    turnNs = wheel.timeNs();
    paced = new TimingWheel(PACE_TICK_NS, PACE_SLOTS, wheel.timeNs());
  }

  /** A turn or a command begins at this time; an earlier time than before changes nothing. */
  public void onTurn(long nowNs) {
    long wakeNs = wheel.nextDeadlineNs();
    long lateNs = wakeNs == Long.MAX_VALUE ? 0 : nowNs - Math.max(turnNs, wakeNs);
    if (lateNs >= ABSENCE_NS) {
      long goneNs = nowNs - Math.max(turnNs, wakeNs - FORGIVEN_REST_NS);
      absentNs += goneNs - Math.min(goneNs / COUNTED_SHARE, MOST_COUNTED_NS);
    }
    if (nowNs - turnNs > 0) {
      turnNs = nowNs;
    }
  }

  /**
   * The time for which the worker stood still so far, ns: the time ahead of each late turn in which
   * the worker read and sent nothing, but for the share that counts. A worker without a due timer
   * rests, and is not late. The silence of a peer does not count in this time; rule L-1.
   */
  long absentNs() {
    return absentNs;
  }

  /** The time of this turn or command, to which the wheels may not have come yet, ns. */
  public long turnNs() {
    return turnNs;
  }

  /** Timers of transfers and paths. */
  public TimingWheel wheel() {
    return wheel;
  }

  /** Timers of trains that wait for their rate, in finer ticks. */
  public TimingWheel paced() {
    return paced;
  }
}
