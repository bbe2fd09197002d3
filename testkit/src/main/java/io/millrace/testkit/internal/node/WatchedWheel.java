package io.millrace.testkit.internal.node;

import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimingWheel;
import java.util.IdentityHashMap;

/** The wheel of a simulated worker: the actual wheel with observed timers. */
final class WatchedWheel extends TimingWheel {
  private final NodeLife life;
  private final TimerObserver observer;

  /** The deadlines of timers, as their owners set the deadlines; looked up only, never walked. */
  private final IdentityHashMap<Timer, Long> deadlinesNs = new IdentityHashMap<>();

  WatchedWheel(NodeLife life, TimerObserver observer, long tickNs, int slots, long startNs) {
    super(tickNs, slots, startNs);
    this.life = life;
    this.observer = observer;
  }

  @Override
  public void schedule(Timer timer, long deadlineNs) {
    observer.onWheelTouched(life, this);
    deadlinesNs.put(timer, deadlineNs);
    super.schedule(timer, deadlineNs);
  }

  @Override
  public void cancel(Timer timer) {
    observer.onWheelTouched(life, this);
    deadlinesNs.remove(timer);
    super.cancel(timer);
  }

  @Override
  protected void onDue(Timer timer, long nowNs) {
    observer.onWheelTouched(life, this);
    Long deadlineNs = deadlinesNs.remove(timer);
    observer.onTimerDue(life, timer, deadlineNs == null ? TimerObserver.NOT_SET : deadlineNs);
    super.onDue(timer, nowNs);
    observer.onTimerFired(life, timer);
  }
}
