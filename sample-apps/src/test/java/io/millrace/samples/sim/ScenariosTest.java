package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Repetitions;
import io.millrace.testkit.internal.oracle.Coverage;
import io.millrace.testkit.internal.oracle.Coverage.Mark;
import io.millrace.testkit.internal.scenario.BatchResult;
import io.millrace.testkit.internal.scenario.BatchResult.Totals;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

final class ScenariosTest {
  private static final int SEEDS_AT_ONCE = 10;

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

  /**
   * Runs ten seeds after ten until the scenario has come to all that is rare in it, as these many
   * must. The soak runs them all.
   */
  private static List<Totals> comeToWhatIsRare(String name, int mostSeeds) throws Exception {
    SimRunner runner = new SimRunner(scenario(name), 2);
    Set<Mark> wanted = RareThings.of(name);
    Coverage coverage = new Coverage();
    List<Totals> totals = new ArrayList<>();
    for (int ran = 0; ran < mostSeeds; ran += SEEDS_AT_ONCE) {
      if (Repetitions.factor() == 1 && coverage.missing(wanted).isEmpty()) {
        break;
      }
      BatchResult batch = runner.run(new SeedRange(ran + 1, ran + SEEDS_AT_ONCE));
      assertEquals(List.of(), batch.failures());
      coverage.merge(batch.coverage());
      totals.add(batch.totals());
    }
    assertEquals(List.of(), coverage.missing(wanted));
    return totals;
  }

  @Test
  void shouldComeToWhatIsRare() throws Exception {
    comeToWhatIsRare("default", 60);
  }

  @Test
  void shouldComeToWhatIsRareOnAFabric() throws Exception {
    comeToWhatIsRare("fabric", 60);
  }

  @Test
  void shouldDoWorkUnderFaultsWithCallsAlone() throws Exception {
    List<Totals> totals = comeToWhatIsRare("calls", 40);
    assertTrue(sum(totals, Totals::executions) > 100, totals.toString());
    assertTrue(sum(totals, Totals::faults) > 50, totals.toString());
    assertTrue(sum(totals, Totals::datagrams) > 5_000, totals.toString());
  }

  private static long sum(List<Totals> totals, ToLongFunction<Totals> of) {
    return totals.stream().mapToLong(of).sum();
  }
}
