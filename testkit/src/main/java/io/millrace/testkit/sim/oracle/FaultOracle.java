package io.millrace.testkit.sim.oracle;

import io.millrace.actor.pool.TransportPool;
import io.millrace.actor.worker.WorkerDescription;
import io.millrace.testkit.sim.node.NodeLife;
import io.millrace.testkit.sim.node.SimCluster;

/**
 * The handling of a peer never throws, an assertion least of all. Production keeps such a fault to
 * its peer and goes on; here it is a broken rule.
 */
public final class FaultOracle extends PoolOracle {
  private static final String NAME = "no fault of a peer's handling";
  private static final int STEPS = 256;

  /** Watches the workers of a cluster whose nodes have not booted yet. */
  public FaultOracle(SimCluster cluster) {
    super(cluster, STEPS);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  void check(NodeLife life, TransportPool pool) {
    for (WorkerDescription worker : pool.workers()) {
      long faults = pool.port(worker.worker()).counters().peerFaults;
      if (faults > 0) {
        String what = faults + " on worker " + worker.worker() + "; the log has them";
        fail(life, what);
      }
    }
  }
}
