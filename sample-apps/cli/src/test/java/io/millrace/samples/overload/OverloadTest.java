package io.millrace.samples.overload;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.overload.OverloadPlan.Bottleneck;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;

/** Ten times the calls that one thread for handlers can do, of which most never have a chance. */
final class OverloadTest {
  private static final long MS_NS = 1_000_000;
  private static final OverloadPlan.Times TIMES =
      new OverloadPlan.Times(60 * MS_NS, 240 * MS_NS, 40 * MS_NS);
  private static final double FACTOR = 10;

  /** Of a hundred turns two belong to each priority; some calls of the turns come to nothing. */
  private static final double LEAST_PART = 0.015;

  private static OverloadResult overload(SimRun run) {
    return OverloadLoad.run(
        run,
        new OverloadPlan(Bottleneck.HANDLERS, 2, FACTOR, OverloadPlan.usualShares(), TIMES, ""));
  }

  @SimulationTest(seeds = "1")
  void shouldCompleteCallsAndStarveNoPriorityUnderTenTimesThePossibleLoad(SimRun run) {
    OverloadResult result = overload(run);

    double completed = result.completedPerS();
    assertTrue(completed >= 0.95 * OverloadPlan.CAPACITY_PER_S, result::toString);
    for (OverloadResult.Level level : result.levels()) {
      double part = level.completed() * 1e9 / TIMES.measuredNs() / OverloadPlan.CAPACITY_PER_S;
      double offered = level.offered() * 1e9 / TIMES.measuredNs() / OverloadPlan.CAPACITY_PER_S;
      assertTrue(part >= Math.min(LEAST_PART, 0.9 * offered), () -> level + " of " + result);
    }
    OverloadResult.Level urgent = result.level(0);
    assertTrue(urgent.completed() >= 0.98 * urgent.offered(), result::toString);
    assertTrue(urgent.p99Ns() <= 10 * OverloadPlan.SERVICE_NS, result::toString);
  }
}
