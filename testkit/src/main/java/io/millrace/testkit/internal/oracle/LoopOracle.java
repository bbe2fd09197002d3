package io.millrace.testkit.internal.oracle;

import io.millrace.ends.PathCounters;
import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.worker.WorkerDescription;

/**
 * Workers do not spin for nothing. Turns without anything to poll are few beside the tasks,
 * datagrams and calls of a worker, and beside the passed time. Calls that are not sent do not count
 * as work, so the rule holds only for applications that send most of their calls. Looks after every
 * {@value #STEPS}th event.
 */
public final class LoopOracle extends PoolOracle {
  private static final String NAME = "no idle spinning";
  private static final int STEPS = 1_024;
  private static final long NS_PER_MS = 1_000_000;
  private static final long ALWAYS = 256;
  private static final long PER_MS = 8;

  /** A loop looks once more after each turn with work. */
  private static final long PER_WORK = 8;

  /** Watches the workers of a cluster before the first node boots. */
  public LoopOracle(FullCluster cluster) {
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
      long work =
          worker.loop().tasks()
              + worker.endpoints().stream()
                  .mapToLong(endpoint -> endpoint.counters().datagramsReceived)
                  .sum()
              + counters.packetsSent
              + counters.requestsSent;
      // A loop without a free send buffer looks whether the network gave a buffer back.
      long most = mostEmptyTurns(work, simulation.nowNs()) + counters.sendBufferStalls;
      // Each turn polls the first endpoint.
      if (worker.endpoint().emptyPolls > most) {
        fail(
            life,
            "worker "
                + worker.worker()
                + ": "
                + worker.endpoint().emptyPolls
                + " turns for nothing, at most "
                + most
                + " are right");
      }
    }
  }

  /** Returns how many turns may find nothing beside this much work and time. */
  static long mostEmptyTurns(long work, long elapsedNs) {
    return ALWAYS + PER_WORK * work + PER_MS * (elapsedNs / NS_PER_MS);
  }
}
