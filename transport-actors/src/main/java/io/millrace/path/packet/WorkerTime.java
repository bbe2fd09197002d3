package io.millrace.path.packet;

import io.millrace.protocol.schedule.TimingWheel;
import java.util.function.LongSupplier;

/**
 * The time of one worker: of its turn, and of its two wheels of timers, which a turn advances. On
 * the worker's thread. Time comes in here and nowhere else: no path reads a clock.
 */
public final class WorkerTime {
  /** A tick and the slots of the wheel of paced paths: at 400 Gbit/s a train takes 1.3 us. */
  private static final long PACE_TICK_NS = 1_024;

  private static final int PACE_SLOTS = 1_024;

  private final TimingWheel wheel;
  private final TimingWheel paced;
  private final LongSupplier turnNs;

  /**
   * Times from that of the wheel on.
   *
   * @param turnNs the time of the turn that the worker makes, ns; never goes back
   */
  public WorkerTime(TimingWheel wheel, LongSupplier turnNs) {
    this.wheel = wheel;
    this.turnNs = turnNs;
    paced = new TimingWheel(PACE_TICK_NS, PACE_SLOTS, wheel.timeNs());
  }

  /** The time of this turn, to which the wheels may not have come yet, ns. */
  public long turnNs() {
    return turnNs.getAsLong();
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
