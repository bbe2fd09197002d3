package io.millrace.samples.sim;

import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;

/** Closes all nodes; then nothing may be left. */
final class Closing {
  static final long CLOSES_WITHIN_NS = 9_000_000_000L;

  private final SimRun run;
  private final ClusterWork work;

  Closing(SimRun run, ClusterWork work) {
    this.run = run;
    this.work = work;
  }

  void run() {
    for (int i = 0; i < run.nodes(); i++) {
      SimulatedServer life = work.life(i);
      if (life != null) {
        long startNs = run.simulation().nowNs();
        life.transport().close();
        long tookNs = run.simulation().nowNs() - startNs;
        if (tookNs > CLOSES_WITHIN_NS) {
          run.fail("graceful stop", "n" + i + " took " + tookNs + " ns to close");
        }
      }
    }
    run.awaitClosed(CLOSES_WITHIN_NS);
    for (SimNode node : run.cluster().nodes()) {
      node.system().terminate();
    }
    run.quiesce();
  }
}
