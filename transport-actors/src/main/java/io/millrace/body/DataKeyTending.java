package io.millrace.body;

import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimerHandler;
import io.millrace.protocol.schedule.TimingWheel;

/**
 * Tells the bodies of a node the time, and has the data keys looked through as long as keys exist.
 * Unused keys are thereby forgotten even without any traffic. When the last worker of the node has
 * no path left, all keys are forgotten at once. One for each worker, on the worker's thread; does
 * not allocate after construction.
 */
public final class DataKeyTending implements TimerHandler, AutoCloseable {
  private final BodyServices bodies;
  private final TimingWheel wheel;
  private final Timer timer = new Timer(this, 0);
  private boolean hasPaths;

  /** Tends no key yet. */
  public DataKeyTending(BodyServices bodies, TimingWheel wheel) {
    this.bodies = bodies;
    this.wheel = wheel;
  }

  /** Records are being opened, or were sealed. */
  public void onUse() {
    bodies.onTime(wheel.timeNs());
    if (hasPaths && !timer.isScheduled()) {
      wheel.schedule(timer, wheel.timeNs() + bodies.tendingNs());
    }
  }

  /** The worker has paths now, or no path any more. */
  public void onPaths(boolean hasPaths) {
    if (hasPaths != this.hasPaths) {
      this.hasPaths = hasPaths;
      bodies.onWorkerHasPaths(hasPaths);
    }
    if (!hasPaths) {
      wheel.cancel(timer);
    }
  }

  /** The worker ends: the worker's wheel turns no more. Idempotent. */
  @Override
  public void close() {
    onPaths(false);
  }

  @Override
  public void onTimer(Timer fired, long nowNs) {
    bodies.onTime(nowNs);
    if (bodies.dataKeysKept() > 0) {
      bodies.sweep();
      wheel.schedule(timer, nowNs + bodies.tendingNs());
    }
  }
}
