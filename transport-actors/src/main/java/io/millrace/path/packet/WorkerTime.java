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

  /** The part of each absence that counts as time: even a worker always late judges in the end. */
  private static final long COUNTED_NS = 10_000_000;

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
    if (nowNs - turnNs >= ABSENCE_NS && nowNs - wheel.nextDeadlineNs() >= ABSENCE_NS) {
      absentNs += nowNs - turnNs - COUNTED_NS;
    }
    if (nowNs - turnNs > 0) {
      turnNs = nowNs;
    }
  }

  /**
   * The time for which the worker stood still so far, ns: each time from the last turn ahead of a
   * late turn to the late turn, in which the worker read and sent nothing. A worker without a due
   * timer rests, and is not late. The silence of a peer does not count in this time; rule L-1.
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
