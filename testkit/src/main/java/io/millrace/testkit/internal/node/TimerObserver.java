package io.millrace.testkit.internal.node;

import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimingWheel;

/** Sees the timers of simulated workers. Must change nothing. Simulation thread only. */
public interface TimerObserver {
  /** The deadline of an unset timer. */
  long NOT_SET = Long.MAX_VALUE;

  /** A timer of this wheel is set or ended, or is about to fire. */
  default void onWheelTouched(NodeLife life, TimingWheel wheel) {}

  /** A timer is about to fire , set for this time of the node's clock. */
  default void onTimerDue(NodeLife life, Timer timer, long deadlineNs) {}

  /** This timer has fired. */
  default void onTimerFired(NodeLife life, Timer timer) {}
}
