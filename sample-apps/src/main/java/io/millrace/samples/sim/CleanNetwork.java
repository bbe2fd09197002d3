package io.millrace.samples.sim;

import io.millrace.api.WorkerSnapshot;
import io.millrace.testkit.sim.oracle.Oracle;
import io.millrace.testkit.sim.scenario.SimRun;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the network does nothing wrong, nobody may think that it does: nothing is sent twice, lost
 * or dropped from when this rule is made until the workload is over, when it looks once. That
 * nobody is given up then is a rule of {@link DeservedFailures}.
 */
final class CleanNetwork implements Oracle {
  private final SimRun run;
  private final ClusterWork work;
  private final Map<String, Long> before;

  /** Counts from now on. */
  CleanNetwork(SimRun run, ClusterWork work) {
    this.run = run;
    this.work = work;
    before = counts();
  }

  @Override
  public void onHealed() {
    counts()
        .forEach(
            (what, count) -> {
              long more = count - before.getOrDefault(what, 0L);
              if (more != 0) {
                run.fail("clean network", more + " " + what);
              }
            });
  }

  private Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("datagrams lost", run.cluster().network().counters().lost());
    for (int i = 0; i < run.nodes(); i++) {
      ClusterNode life = work.life(i);
      if (life != null) {
        life.transport().snapshot().workers().forEach(worker -> add(counts, worker));
      }
    }
    return counts;
  }

  private static void add(Map<String, Long> counts, WorkerSnapshot worker) {
    String at = " at " + worker.threadName();
    counts.put("frames sent again" + at, worker.transfers().framesRetransmitted());
    counts.put("packets declared lost" + at, worker.packets().lost());
    counts.put("second copies" + at, worker.packets().duplicatesDropped());
    counts.put("packets with a wrong tag" + at, worker.packets().authenticationFailures());
    counts.put("datagrams dropped" + at, worker.packets().datagramsDropped());
  }

  @Override
  public String name() {
    return "clean network";
  }
}
