package io.millrace.testkit.internal.node;

import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimingWheel;

/** Sees the timers of simulated workers. Must change nothing. Simulation thread only. */
public interface TimerObserver {
  /** The deadline of a timer that is not set. */
  long NOT_SET = Long.MAX_VALUE;

  /** Somebody sets or ends a timer of this wheel, or one of its timers is about to fire. */
  default void onWheelTouched(NodeLife life, TimingWheel wheel) {}

  /** A timer is about to fire that was set for this time of the node's clock. */
  default void onTimerDue(NodeLife life, Timer timer, long deadlineNs) {}

  /** That timer has fired. */
  default void onTimerFired(NodeLife life, Timer timer) {}
}
