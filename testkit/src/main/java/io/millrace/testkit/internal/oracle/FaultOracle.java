package io.millrace.testkit.internal.oracle;

import io.millrace.ends.PathCounters;
import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.worker.WorkerDescription;

/**
 * The handling of a peer never throws, an assertion least of all, and no peer breaks the protocol.
 * In production such a fault stays confined to the peer, and the node goes on. Here, where all
 * nodes are honest, such a fault is a broken rule.
 */
public final class FaultOracle extends PoolOracle {
  private static final String NAME = "no fault of a peer";
  private static final int STEPS = 256;

  /** Watches the workers of a cluster before the first node boots. */
  public FaultOracle(FullCluster cluster) {
    super(cluster, STEPS);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  void check(NodeLife life, TransportPool pool) {
    for (WorkerDescription worker : pool.workers()) {
      PathCounters counters = pool.port(worker.worker()).counters();
      requireNone(life, worker, "faults", counters.peerFaults);
      requireNone(life, worker, "violations of the protocol", counters.protocolViolations);
    }
  }

  private void requireNone(NodeLife life, WorkerDescription worker, String what, long count) {
    if (count > 0) {
      fail(life, count + " " + what + " on worker " + worker.worker() + "; the log has them");
    }
  }
}
