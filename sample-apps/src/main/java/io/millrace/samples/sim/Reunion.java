package io.millrace.samples.sim;

import io.millrace.testkit.sim.scenario.Outcome;
import io.millrace.testkit.sim.scenario.SimRun;

/** After all faults ended, every node must reach every other one, if not at the first attempt. */
final class Reunion {
  private static final long WITHIN_NS = 60_000_000_000L;
  private static final long PAUSE_NS = 20_000_000;

  private final SimRun run;
  private final ClusterWork work;
  private int missing;

  Reunion(SimRun run, ClusterWork work) {
    this.run = run;
    this.work = work;
  }

  void run() {
    for (int from = 0; from < run.nodes(); from++) {
      for (int to = 0; to < run.nodes(); to++) {
        if (from != to) {
          missing++;
          attempt(from, to, 0);
        }
      }
    }
    run.within(WITHIN_NS, "every node reaches every other one", () -> missing == 0);
  }

  private void attempt(int from, int to, int number) {
    PlannedCall probe = work.call(work.plans().probeId(from, to, number));
    work.make(
        probe,
        outcome -> {
          if (outcome == Outcome.DONE) {
            missing--;
          } else {
            run.simulation()
                .at(
                    run.simulation().nowNs() + (PAUSE_NS << Math.min(number, 5)),
                    () -> attempt(from, to, number + 1));
          }
        });
  }
}
