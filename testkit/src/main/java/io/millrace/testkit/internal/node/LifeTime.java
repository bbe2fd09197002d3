package io.millrace.testkit.internal.node;

import io.millrace.testkit.internal.core.Occupant;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.sim.VirtualTime;

/** Time as one life of a node knows it; its events happen in the name of the life. */
final class LifeTime implements VirtualTime {
  private final NodeLife life;
  private final NodeClock clock;
  private final VirtualTime time;

  LifeTime(NodeLife life) {
    this.life = life;
    clock = life.node().clock();
    time = life.simulation().newTime("node.life", life.entity(0));
  }

  @Override
  public long nowNs() {
    return clock.nowNs();
  }

  @Override
  public void at(long timeNs, Runnable event) {
    time.at(clock.virtualNs(timeNs), () -> happen(event));
  }

  private void happen(Runnable event) {
    if (life.isOver()) {
      return;
    }
    long pausedUntilNs = life.node().pausedUntilNs();
    if (time.nowNs() < pausedUntilNs) {
      time.at(pausedUntilNs, () -> happen(event));
      return;
    }
    SimThread thread = SimThread.current();
    Occupant before = thread.enter(life);
    try {
      event.run();
    } finally {
      thread.enter(before);
    }
  }
}
