package io.millrace.samples.sim;

import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimRun;

/**
 * Lets every node connect to every other node before anything else happens. The first packet over a
 * path may overtake the handshake's end at its receiver, and is then retransmitted.
 */
final class InitialConnects {
  private static final long WITHIN_NS = 1_000_000_000;
  private static final long REST_NS = 100_000_000;

  private final SimRun run;
  private final ClusterWork work;
  private int missing;

  InitialConnects(SimRun run, ClusterWork work) {
    this.run = run;
    this.work = work;
  }

  void run() {
    for (int from = 0; from < run.nodes(); from++) {
      for (int to = 0; to < run.nodes(); to++) {
        SimulatedServer life = work.life(from);
        if (from != to && life != null) {
          missing++;
          connect(from, life, to);
        }
      }
    }
    run.within(WITHIN_NS, "every node is connected to every other one", () -> missing == 0);
    run.runUntil(run.simulation().nowNs() + REST_NS);
  }

  private void connect(int from, SimulatedServer life, int to) {
    try {
      run.node(from)
          .call(
              () ->
                  life.transport()
                      .peer(SimCluster.handshakeAddress(to))
                      .connect()
                      .thenRun(() -> missing--));
    } catch (Exception e) {
      run.fail("unexpected exception", "n" + from + " connects: " + e, e);
    }
  }
}
