package io.millrace.testkit.internal.net;

import io.millrace.testkit.sim.VirtualTime;

/** Time that jumps to every requested time at once. */
final class ImmediateTime implements VirtualTime {
  private long nowNs;

  @Override
  public long nowNs() {
    return nowNs;
  }

  @Override
  public void at(long timeNs, Runnable event) {
    nowNs = Math.max(nowNs, timeNs);
    event.run();
  }
}
