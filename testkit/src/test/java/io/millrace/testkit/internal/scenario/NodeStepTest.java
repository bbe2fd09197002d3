package io.millrace.testkit.internal.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.sim.NodeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class NodeStepTest {
  private static final long MS = 1_000_000;

  private static RunResult run(Scenario scenario) throws Exception {
    return new SimRunner(scenario, 1).run(RunSettings.of(1));
  }

  private static long readClock() {
    return Objects.requireNonNull(SimThread.current().surroundings()).nanoTime();
  }

  @Test
  void shouldTakeAStepInTheSurroundingsOfItsNode() throws Exception {
    RunResult result =
        run(
            run -> {
              run.add(NodeSettings.DEFAULT, node -> {});
              run.add(new NodeSettings(77 * MS, 0, 50, 2_000, true, 5, false), node -> {});
              List<Long> read = new ArrayList<>();
              run.at(2 * MS, 0, "reads the clock", () -> read.add(readClock()));
              run.at(2 * MS, 1, "reads the clock", () -> read.add(readClock()));
              run.at(2 * MS + 1, "reads no clock of a node", () -> read.add(readClock()));
              run.runUntil(3 * MS);
              assertEquals(3, read.size());
              assertEquals(2 * MS + 1, read.getLast());
              assertEquals(run.node(0).clock().nowNs() - MS, read.getFirst());
              assertEquals(run.node(1).clock().nowNs() - MS, read.get(1));
              assertEquals(77 * MS, read.get(1) - read.getFirst());
              assertEquals(0, run.droppedSteps());
            });
    assertNull(result.violation());
  }

  @Test
  void shouldWaitWhileItsNodeStandsStill() throws Exception {
    RunResult result =
        run(
            run -> {
              run.add(2, node -> {});
              List<Long> taken = new ArrayList<>();
              run.node(0).pause(5 * MS);
              run.at(MS, 0, "a step", () -> taken.add(run.simulation().nowNs()));
              run.at(2 * MS, "pauses more", () -> run.node(0).pause(8 * MS));
              run.runUntil(20 * MS);
              assertEquals(List.of(10 * MS), taken);
            });
    assertNull(result.violation());
  }

  @Test
  void shouldDropAStepOfANodeThatIsDownAndSayWhy() throws Exception {
    RunResult result =
        run(
            run -> {
              run.add(NodeSettings.DEFAULT, node -> {});
              run.crash(0);
              run.at(MS, 0, "greets", () -> run.fail("taken", "by nobody"));
              run.runUntil(2 * MS);
              assertEquals(1, run.droppedSteps());
              run.fail("end", "to see what happened");
            });
    assertEquals("end", Objects.requireNonNull(result.violation()).rule());
    assertEquals(
        List.of("w0 at 1.000 ms: greets: dropped, n0 is down"),
        result.happened().stream().map(PlannedEvent::toString).toList());
  }

  @Test
  void shouldNotTakeAStepInTheLifeAfterTheOneThatItWaitedIn() throws Exception {
    RunResult result =
        run(
            run -> {
              run.add(NodeSettings.DEFAULT, node -> {});
              run.node(0).pause(5 * MS);
              run.at(MS, 0, "a step", () -> run.fail("taken", "by another life"));
              run.at(2 * MS, "restarts", () -> run.crash(0));
              run.at(3 * MS, "restarts", () -> run.boot(0));
              run.runUntil(20 * MS);
              assertTrue(run.node(0).isUp());
              assertEquals(1, run.droppedSteps());
            });
    assertNull(result.violation());
  }

  @Test
  void shouldLeaveOutAStepThatIsNotKept() throws Exception {
    Scenario scenario =
        run -> {
          run.add(NodeSettings.DEFAULT, node -> {});
          run.at(MS, 0, "first", () -> run.fail("first", ""));
          run.at(2 * MS, 0, "second", () -> run.fail("second", ""));
          run.runUntil(3 * MS);
        };
    RunResult result =
        new SimRunner(scenario, 1).run(RunSettings.of(1).withKeep(Keep.parse("w:1")));
    assertEquals("second", Objects.requireNonNull(result.violation()).rule());
  }
}
