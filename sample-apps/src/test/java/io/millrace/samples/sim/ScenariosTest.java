package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.scenario.BatchResult;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.SeedRange;
import io.millrace.testkit.internal.scenario.Shrinker;
import io.millrace.testkit.internal.scenario.Shrunk;
import io.millrace.testkit.internal.scenario.SimRunner;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class ScenariosTest {
  private static Scenario scenario(String name) {
    return Objects.requireNonNull(Scenarios.of(name), name);
  }

  private static void run(String name, SimRun run) throws Exception {
    scenario(name).run(FullRun.of(run));
  }

  @SimulationTest(seeds = "commit+6")
  void shouldSurviveEverything(SimRun run) throws Exception {
    run("default", run);
  }

  @SimulationTest(seeds = "commit+6")
  void shouldSurviveEverythingWithCallsAlone(SimRun run) throws Exception {
    run("calls", run);
  }

  @SimulationTest(seeds = "1..8")
  void shouldSurviveCrashes(SimRun run) throws Exception {
    run("crash", run);
  }

  @SimulationTest(seeds = "1..8")
  void shouldSurviveLoss(SimRun run) throws Exception {
    run("loss", run);
  }

  @SimulationTest(seeds = "commit+6")
  void shouldSurviveEverythingOnAFabric(SimRun run) throws Exception {
    run("fabric", run);
  }

  @SimulationTest(seeds = "1..4")
  void shouldSendNothingTwiceOnACleanNetwork(SimRun run) throws Exception {
    run("clean", run);
  }

  @SimulationTest(seeds = "1..4")
  void shouldSendNothingTwiceOnACleanFabric(SimRun run) throws Exception {
    run("clean-fabric", run);
  }

  @Test
  void shouldFindTheCanary() throws Exception {
    SimRunner runner = new SimRunner(scenario(Scenarios.CANARY), 2);
    BatchResult batch = runner.run(SeedRange.parse("2315..2325"));
    assertEquals(1, batch.failures().size());
    RunResult failure = batch.failures().getFirst();
    assertNotNull(failure.violation());
    assertEquals("at most once", failure.violation().rule());

    Shrunk shrunk = new Shrinker(scenario(Scenarios.CANARY), 60).shrink(failure);
    assertTrue(shrunk.result().happened().size() < failure.happened().size());
    RunResult replay = runner.run(RunSettings.of(failure.seed()).withKeep(shrunk.keep()));
    assertEquals(shrunk.result().traceHash(), replay.traceHash());
  }

  @Test
  void shouldComeToWhatIsRare() throws Exception {
    BatchResult batch = new SimRunner(scenario("default"), 2).run(SeedRange.parse("1..60"));
    assertEquals(List.of(), batch.failures());
    assertEquals(List.of(), batch.coverage().missing(RareThings.of("default")));
  }

  @Test
  void shouldComeToWhatIsRareOnAFabric() throws Exception {
    BatchResult batch = new SimRunner(scenario("fabric"), 2).run(SeedRange.parse("1..60"));
    assertEquals(List.of(), batch.failures());
    assertEquals(List.of(), batch.coverage().missing(RareThings.of("fabric")));
  }

  @Test
  void shouldDoWorkUnderFaultsWithCallsAlone() throws Exception {
    BatchResult batch = new SimRunner(scenario("calls"), 2).run(SeedRange.parse("1..40"));
    assertEquals(List.of(), batch.failures());
    assertTrue(batch.totals().executions() > 100, batch.totals().toString());
    assertTrue(batch.totals().faults() > 50, batch.totals().toString());
    assertTrue(batch.totals().datagrams() > 5_000, batch.totals().toString());
    assertEquals(List.of(), batch.coverage().missing(RareThings.of("calls")));
  }
}
