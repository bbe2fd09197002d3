package io.millrace.testkit.internal.oracle;

import io.millrace.protocol.schedule.Timer;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.TimerObserver;
import io.millrace.testkit.sim.Oracle;

/**
 * No timer of a worker fires before the time set by its owner, as the node's own clock shows the
 * time. No timer fires without being set.
 */
public final class TimerOracle implements Oracle, TimerObserver {
  private static final String NAME = "timers never early";

  private final Simulation simulation;
  private long fired;

  /** Watches the timers of a cluster before the first node boots. */
  public TimerOracle(FullCluster cluster) {
    simulation = cluster.simulation();
    cluster.observeTimers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Timers looked at so far. */
  public long fired() {
    return fired;
  }

  @Override
  public void onTimerDue(NodeLife life, Timer timer, long deadlineNs) {
    fired++;
    long earlyNs = deadlineNs - life.clock().nowNs();
    if (deadlineNs == NOT_SET || earlyNs > 0) {
      String how = deadlineNs == NOT_SET ? "though it is not set" : earlyNs + " ns early";
      String owner = timer.handler().getClass().getSimpleName();
      simulation.fail(NAME, Lives.text(life) + ": a timer of " + owner + " fires " + how, null);
    }
  }
}
