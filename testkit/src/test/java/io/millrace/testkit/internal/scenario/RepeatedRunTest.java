package io.millrace.testkit.internal.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.TraceKind;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Two runs of one seed: equal, or with a report of the place where the runs part. */
final class RepeatedRunTest {
  private final AtomicLong calls = new AtomicLong();

  private static String message(RunResult result) {
    SimViolation violation = result.violation();
    assertNotNull(violation);
    assertEquals("determinism", violation.rule());
    return String.valueOf(violation.getMessage());
  }

  /** The second node stands still for longer in each run. */
  private void pauseLonger(FullRun run) {
    run.add(2, node -> {});
    run.at(3_000, "pause", () -> run.node(1).pause(calls.incrementAndGet()));
    run.runUntil(9_000);
  }

  @Test
  void shouldSayAtWhichEventTimeAndNodeTwoRunsPart() throws Exception {
    String message = message(new SimRunner(this::pauseLonger, 1).replay(RunSettings.of(5)));
    assertTrue(message.startsWith("seed 5, 3000 ns: determinism: the runs part where "), message);
    assertTrue(
        message.contains(
            " is PAUSE at 0.003000 ms of n1, 3001 and PAUSE at 0.003000 ms of n1, 3002"),
        message);
  }

  @Test
  void shouldCompareOneRunOfAFewSeeds() throws Exception {
    BatchResult batch = new SimRunner(this::pauseLonger, 1).run(SeedRange.parse("1..3"));
    assertEquals(1, batch.repeated());
    assertEquals(1, batch.failures().size());
    assertEquals(3, batch.failures().getFirst().seed());
    assertTrue(message(batch.failures().getFirst()).contains("of n1"));
    assertEquals(1, new SimRunner(new PlantedBug(), 1).run(SeedRange.parse("1..39")).repeated());
  }

  @Test
  void shouldSaySoWhereLogsShowNothing() throws Exception {
    Scenario onceAnother =
        run -> run.simulation().trace(TraceKind.NOTE, Math.min(2, calls.incrementAndGet()), 0);
    BatchResult batch = new SimRunner(onceAnother, 1).run(SeedRange.of(1));
    assertTrue(
        message(batch.failures().getFirst()).contains("two more runs, with logs, were the same"));
  }

  @Test
  void shouldNoticeARuleThatIsBrokenOnce() throws Exception {
    Scenario breaksOnce =
        run -> {
          if (calls.incrementAndGet() == 1) {
            throw new IllegalStateException("once");
          }
        };
    String message = message(new SimRunner(breaksOnce, 1).replay(RunSettings.of(1)));
    assertTrue(
        message.endsWith(
            "the first one broke \"scenario threw java.lang.IllegalStateException\","
                + " the second one no rule"),
        message);
  }

  @Test
  void shouldBeContentWithARunThatIsTheSameTwice() throws Exception {
    RunResult result = new SimRunner(new PlantedBug(), 1).replay(RunSettings.of(2));
    assertEquals(
        new SimRunner(new PlantedBug(), 1).run(RunSettings.of(2)).traceHash(), result.traceHash());
    assertNull(new SimRunner(run -> {}, 1).replay(RunSettings.of(1)).violation());
  }
}
