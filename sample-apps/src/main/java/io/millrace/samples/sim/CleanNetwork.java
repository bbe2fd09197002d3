package io.millrace.samples.sim;

import io.millrace.api.WorkerSnapshot;
import io.millrace.testkit.sim.net.NetworkCounters;
import io.millrace.testkit.sim.oracle.Oracle;
import io.millrace.testkit.sim.scenario.Outcome;
import io.millrace.testkit.sim.scenario.SimRun;

/**
 * Where the network does nothing wrong, nobody may think that it does: nothing is sent twice, lost,
 * dropped or left uncertain. Looks once, when the workload is over and all nodes still run.
 */
final class CleanNetwork implements Oracle {
  private final SimRun run;
  private final ClusterWork work;

  CleanNetwork(SimRun run, ClusterWork work) {
    this.run = run;
    this.work = work;
  }

  @Override
  public void onHealed() {
    NetworkCounters network = run.cluster().network().counters();
    requireNone("datagrams lost", network.lost());
    requireNone("uncertain calls", run.history().resolved(Outcome.INDETERMINATE));
    for (int i = 0; i < run.nodes(); i++) {
      ClusterNode life = work.life(i);
      if (life != null) {
        life.transport().snapshot().workers().forEach(this::check);
      }
    }
  }

  private void check(WorkerSnapshot worker) {
    String at = " at " + worker.threadName();
    requireNone("frames sent again" + at, worker.transfers().framesRetransmitted());
    requireNone("packets declared lost" + at, worker.packets().lost());
    requireNone("second copies" + at, worker.packets().duplicatesDropped());
    requireNone("packets with a wrong tag" + at, worker.packets().authenticationFailures());
    requireNone("datagrams dropped" + at, worker.packets().datagramsDropped());
  }

  private void requireNone(String what, long count) {
    if (count != 0) {
      run.fail("clean network", count + " " + what);
    }
  }

  @Override
  public String name() {
    return "clean network";
  }
}
