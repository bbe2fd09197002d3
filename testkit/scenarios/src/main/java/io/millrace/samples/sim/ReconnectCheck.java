package io.millrace.samples.sim;

import io.millrace.testkit.sim.Outcome;
import io.millrace.testkit.sim.SimRun;

/**
 * Checks that after the end of all faults every present node reaches every other node, if not at
 * the first attempt. The remains of the faults may fail calls for as long as a peer takes to be
 * given up and found again, and no longer. First with a few bytes, then with a body that needs
 * regions. The check can be repeated.
 */
final class ReconnectCheck {
  private static final long PAUSE_NS = 20_000_000;

  private final SimRun run;
  private final ClusterWork work;
  private final LostNodes lost;
  private final int[][] attempts;
  private long beganNs;
  private int missing;

  ReconnectCheck(SimRun run, ClusterWork work, LostNodes lost) {
    this.run = run;
    this.work = work;
    this.lost = lost;
    attempts = new int[run.nodes()][run.nodes()];
  }

  void run() {
    beganNs = run.simulation().nowNs();
    Bounds bounds = work.settings().bounds();
    reach(false, bounds.reunionNs(), "every node reaches every other one");
    long bodiesNs = bounds.bodiesNs(run.nodes(), CallPlans.MOST_PROBED_REGIONS);
    reach(true, bodiesNs, "every node sends every other one a body, or has one from it");
  }

  private void reach(boolean isBody, long withinNs, String what) {
    for (int from = 0; from < run.nodes(); from++) {
      for (int to = 0; to < run.nodes(); to++) {
        if (from != to && !lost.isLost(from) && !lost.isLost(to)) {
          missing++;
          attempt(from, to, isBody, 0);
        }
      }
    }
    run.within(withinNs, what, () -> missing == 0);
  }

  private void attempt(int from, int to, boolean isBody, int number) {
    PlannedCall probe = work.call(work.plans().probeId(from, to, attempts[from][to]++, isBody));
    long madeNs = run.simulation().nowNs();
    work.make(
        probe,
        outcome -> {
          if (outcome == Outcome.DONE) {
            missing--;
            return;
          }
          long aftermathNs = work.settings().between(from, to).aftermathNs();
          if (work.deserved().isKind() && madeNs > beganNs + aftermathNs) {
            run.fail("deserved failures", probe + ": " + outcome + ", long after all faults ended");
          }
          run.simulation()
              .at(
                  run.simulation().nowNs() + (PAUSE_NS << Math.min(number, 5)),
                  () -> attempt(from, to, isBody, number + 1));
        });
  }
}
