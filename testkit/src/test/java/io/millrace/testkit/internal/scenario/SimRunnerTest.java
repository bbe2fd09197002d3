package io.millrace.testkit.internal.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.TraceKind;
import io.millrace.testkit.sim.FaultSchedule;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SimRunnerTest {
  @Test
  void shouldHaveTheSameHashesOnAnyNumberOfThreads() throws Exception {
    SeedRange seeds = SeedRange.parse("1..40");
    BatchResult one = new SimRunner(new PlantedBug(), 1).run(seeds);
    BatchResult two = new SimRunner(new PlantedBug(), 2).run(seeds);
    assertEquals(40, one.ran());
    assertEquals(2, one.repeated());
    assertEquals(one.traceHash(), two.traceHash());
    assertEquals(one.totals(), two.totals());
    assertEquals(
        one.failures().stream().map(RunResult::seed).toList(),
        two.failures().stream().map(RunResult::seed).toList());
    assertTrue(one.totals().faults() > 0 && one.totals().executions() > 0);
    assertNotEquals(
        one.traceHash(),
        new SimRunner(new PlantedBug(), 2).run(SeedRange.parse("2..41")).traceHash());
  }

  @Test
  void shouldNoticeThatAScenarioIsNotAFunctionOfItsSeed() throws Exception {
    AtomicLong calls = new AtomicLong();
    Scenario scenario = run -> run.simulation().trace(TraceKind.NOTE, calls.incrementAndGet(), 0);
    BatchResult batch = new SimRunner(scenario, 1).run(SeedRange.parse("1..20"));
    assertEquals(1, batch.failures().size());
    assertNotNull(batch.failures().getFirst().violation());
    assertEquals("determinism", batch.failures().getFirst().violation().rule());
  }

  @Test
  void shouldFailARunThatThrows() throws Exception {
    SimRunner runner =
        new SimRunner(
            run -> {
              throw new AssertionError("wrong");
            },
            1);
    RunResult result = runner.run(RunSettings.of(3));
    assertNotNull(result.violation());
    assertEquals("assertion", result.violation().rule());
    assertEquals(3, result.seed());
    assertTrue(String.valueOf(result.violation().getMessage()).contains("wrong"));
  }

  @Test
  void shouldFailARunThatDoesNotGetDone() throws Exception {
    Scenario scenario =
        run -> {
          run.add(1, node -> {});
          run.history().sent(1, 0, 0, 0);
          for (int i = 1; i <= 3; i++) {
            run.at(i * 900_000L, "progress", run::onProgress);
          }
          run.eventually(1_000_000, "call 1 ends", run.history()::isSettled);
        };
    RunResult result = new SimRunner(scenario, 1).run(RunSettings.of(1));
    assertNotNull(result.violation());
    assertEquals("liveness", result.violation().rule());
    assertEquals(3_700_000, result.violation().timeNs());
  }

  @Test
  void shouldEndFaultsByThemselvesAndWhenHealed() throws Exception {
    Scenario scenario =
        run -> {
          run.add(2, node -> {});
          run.faults().crash(100, 0, 1_000);
          run.faults().crash(5_000, 1, 1_000_000);
          run.faults().crash(9_000, 0, 1_000);
          run.runUntil(500);
          check(!run.node(0).isUp());
          run.runUntil(6_000);
          check(run.node(0).isUp() && run.node(0).incarnation() == 2 && !run.node(1).isUp());
          run.heal();
          check(run.node(1).isUp() && run.node(1).incarnation() == 2);
          run.runUntil(10_000);
          check(run.node(0).incarnation() == 2);
        };
    RunResult result = new SimRunner(scenario, 1).run(RunSettings.of(1));
    assertNull(result.violation());
    assertEquals(2, result.counts().faults());
  }

  @Test
  void shouldNotShiftAnythingByLeavingOutAFault() throws Exception {
    List<PlannedEvent> all = happened(Keep.ALL);
    PlannedEvent second = all.get(1);
    List<PlannedEvent> one = happened(Keep.ALL.withFaults(List.of(second.number())));
    assertEquals(List.of(second), one);
  }

  private static List<PlannedEvent> happened(Keep keep) throws Exception {
    Scenario scenario =
        run -> {
          run.add(3, node -> {});
          new FaultSchedule(run, 1_000_000).all();
          run.runUntil(2_000_000);
          run.fail("end", "to have the plan");
          run.simulation().check();
        };
    RunResult result = new SimRunner(scenario, 1).run(RunSettings.of(4).withKeep(keep));
    return result.happened();
  }

  private static void check(boolean isSo) {
    if (!isSo) {
      throw new AssertionError("not so");
    }
  }
}
