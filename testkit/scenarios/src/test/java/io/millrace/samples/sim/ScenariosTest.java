package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Repetitions;
import io.millrace.testkit.internal.oracle.Coverage;
import io.millrace.testkit.internal.oracle.Coverage.Mark;
import io.millrace.testkit.internal.scenario.BatchResult;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunResult.Counts;
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
  private static Scenario scenario(String name) {
    return Objects.requireNonNull(Scenarios.of(name), name);
  }

  private static void run(String name, SimRun run) throws Exception {
    scenario(name).run(FullRun.of(run));
  }

  @SimulationTest(seeds = "commit+3")
  void shouldSurviveEverything(SimRun run) throws Exception {
    run("default", run);
  }

  @SimulationTest(seeds = "commit+3")
  void shouldSurviveEverythingWithCallsAlone(SimRun run) throws Exception {
    run("calls", run);
  }

  /** SimCommandTest runs each of the first 21 seeds. */
  @SimulationTest(seeds = "commit+3")
  void shouldSurviveCrashes(SimRun run) throws Exception {
    run("crash", run);
  }

  @SimulationTest(seeds = "1..8")
  void shouldSurviveLoss(SimRun run) throws Exception {
    run("loss", run);
  }

  @SimulationTest(seeds = "commit+3")
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
   * Runs seed after seed until the scenario has come to all its rare situations, as so many seeds
   * must. The soak runs all seeds.
   */
  private static List<Counts> comeToWhatIsRare(String name, int mostSeeds) throws Exception {
    SimRunner runner = new SimRunner(scenario(name), 1);
    Set<Mark> wanted = RareThings.of(name);
    Coverage coverage = new Coverage();
    List<Counts> counts = new ArrayList<>();
    for (int seed = 1; seed <= mostSeeds; seed++) {
      if (Repetitions.factor() == 1 && coverage.missing(wanted).isEmpty()) {
        break;
      }
      RunResult run = runner.run(RunSettings.of(seed));
      assertFalse(run.isFailed(), run::toString);
      coverage.merge(run.coverage());
      counts.add(run.counts());
    }
    assertEquals(List.of(), coverage.missing(wanted));
    return counts;
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
    List<Counts> counts = comeToWhatIsRare("calls", 40);
    assertTrue(sum(counts, Counts::executions) > 100, counts.toString());
    assertTrue(sum(counts, Counts::faults) > 50, counts.toString());
    assertTrue(sum(counts, Counts::datagrams) > 5_000, counts.toString());
  }

  private static long sum(List<Counts> counts, ToLongFunction<Counts> of) {
    return counts.stream().mapToLong(of).sum();
  }
}
