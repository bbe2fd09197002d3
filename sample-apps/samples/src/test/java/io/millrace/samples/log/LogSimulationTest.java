package io.millrace.samples.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Quorum;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.Shrinker;
import io.millrace.testkit.internal.scenario.Shrunk;
import io.millrace.testkit.internal.scenario.SimRunner;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;

/** Replicas under crashes, partitions and pauses: each key's history must be linearizable. */
final class LogSimulationTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final long STEP_NS = SECOND_NS / 5;
  private static final String ACCEPT = "millrace.log.accept";
  private static final int MOST_SHRINKING = 40;

  @SimulationTest(
      seeds = {"4", "8"},
      shrinkRuns = 100)
  void shouldBeLinearizableWithThreeReplicas(SimRun run) {
    LogScenario.run(run, 3);
  }

  @SimulationTest(
      seeds = {"4", "6"},
      shrinkRuns = 100)
  void shouldBeLinearizableWithFiveReplicas(SimRun run) {
    LogScenario.run(run, 5);
  }

  /**
   * With {@code -Dmillrace.log.accept=1} the log takes an entry for chosen after a single
   * acceptance.
   */
  @SimulationTest(seeds = "1")
  void shouldBeLinearizableThoughOldLeaderIsCutOff(SimRun run) {
    Quorum majority = Quorum.majority(3);
    cutOff(run, new Quorum(majority.prepare(), Integer.getInteger(ACCEPT, majority.accept())));
  }

  /** Finds the bug of a log that commits on a minority, shrinks the run, and replays it. */
  @Test
  void shouldFindLeaderThatCommitsOnMinority() throws InterruptedException {
    Scenario planted = run -> cutOff(run, new Quorum(2, 1));
    SimRunner runner = new SimRunner(planted, 1);
    RunResult found = runner.run(RunSettings.of(1));

    Shrunk shrunk = new Shrinker(planted, MOST_SHRINKING).shrink(found);
    RunResult again = runner.replay(RunSettings.of(1).withKeep(shrunk.keep()));

    assertEquals("linearizable", violation(found).rule());
    assertEquals(violation(shrunk.result()).getMessage(), violation(again).getMessage());
    List<String> left = shrunk.words();
    assertTrue(left.stream().anyMatch(words -> words.contains("n0 gets")), left::toString);
    assertTrue(left.stream().filter(words -> words.contains(" puts")).count() == 1, left::toString);
    System.out.println("a log that commits on a minority: " + violation(again).getMessage());
    System.out.println("what is left of seed 1: " + left);
    System.out.printf(
        "again with: mvn test -pl sample-apps/samples -am '-Dtest=%s#shouldBeLinearizableThough*'"
            + " -Dsurefire.failIfNoSpecifiedTests=false -D%s=1 -Dmillrace.sim.seed=1"
            + " '-Dmillrace.sim.keep=%s'%n",
        LogSimulationTest.class.getSimpleName(), ACCEPT, shrunk.keep());
  }

  private static SimViolation violation(RunResult result) {
    return Objects.requireNonNull(result.violation(), "a violation");
  }

  /** The leader is cut off together with a client, and the others have another leader. */
  private static void cutOff(SimRun run, Quorum quorum) {
    List<SimulatedDisk> disks =
        IntStream.range(0, 3).mapToObj(disk -> new SimulatedDisk(run, disk)).toList();
    LogTrial trial = new LogTrial(run, quorum, disks, null);
    ByteString key = LogScenario.key(0);
    run.at(STEP_NS / 2, 0, "n0 puts", () -> trial.call(0, Operation.put(key, key)));
    for (int other = 1; other <= 2; other++) {
      int node = other;
      run.faults().cutBoth(STEP_NS, 0, node, 5 * STEP_NS);
      run.at(STEP_NS, node, "n" + node + " hears of n1", () -> trial.lead(node, 1));
    }
    for (int i = 2; i <= 4; i++) {
      ByteString value = ByteString.fromString("v" + i);
      run.at(i * STEP_NS, 1, "n1 puts", () -> trial.call(1, Operation.put(key, value)));
      run.at(i * STEP_NS + STEP_NS / 2, 0, "n0 gets", () -> trial.call(0, Operation.get(key)));
    }
    run.runUntil(6 * STEP_NS);
    run.heal();
    trial.elect(1);
    run.runUntil(10 * STEP_NS);
    trial.requireLinearizable();
    trial.close();
  }
}
