package io.millrace.protocol.schedule;

/** The owner of a {@link Timer}; called on the worker's thread from {@link TimingWheel#advance}. */
public interface TimerHandler {
  /**
   * The timer's deadline has passed; the timer is no longer scheduled and may be scheduled again at
   * once.
   *
   * @param timer the timer; its {@link Timer#kind()} tells apart several timers of an owner
   * @param nowNs the time given to {@code advance}, at or after the deadline
   */
  void onTimer(Timer timer, long nowNs);
}
