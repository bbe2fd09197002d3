package io.millrace.testkit.internal.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.TraceKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ShrinkerTest {
  private static final Scenario BUG = new PlantedBug();

  @Test
  void shouldLeaveOneCrashAndOneCallOfAPlantedBug() throws Exception {
    SimRunner runner = new SimRunner(BUG, 2);
    BatchResult batch = runner.run(SeedRange.parse("1..20"));
    assertFalse(batch.failures().isEmpty());
    for (RunResult failure : batch.failures()) {
      assertNotNull(failure.violation());
      assertEquals("at most once", failure.violation().rule());
      Shrunk shrunk = new Shrinker(BUG, 200).shrink(failure);
      List<PlannedEvent> left = shrunk.result().happened();
      assertEquals(2, left.size(), shrunk.words().toString());
      assertEquals(1, shrunk.faults());
      assertTrue(left.getFirst().words().contains("crashes"), left.toString());
      assertEquals(0, left.getLast().number() % 5);

      RunResult replay =
          runner.run(RunSettings.of(failure.seed()).withKeep(Keep.parse(shrunk.keep().toString())));
      assertNotNull(replay.violation());
      assertEquals("at most once", replay.violation().rule());
      assertEquals(shrunk.result().traceHash(), replay.traceHash());
    }
  }

  @Test
  void shouldTakeNoMoreRunsThanItMay() throws Exception {
    RunResult failure = new SimRunner(BUG, 1).run(SeedRange.parse("1..20")).failures().getFirst();
    assertEquals(5, new Shrinker(BUG, 5).shrink(failure).runs());
  }

  @Test
  void shouldLeaveARunWholeThatIsNeverTheSame() throws Exception {
    AtomicLong calls = new AtomicLong();
    Scenario scenario = run -> run.simulation().trace(TraceKind.NOTE, calls.incrementAndGet(), 0);
    RunResult failure = new SimRunner(scenario, 1).replay(RunSettings.of(1));
    Shrunk shrunk = new Shrinker(scenario, 1_000).shrink(failure);
    assertEquals(0, shrunk.runs());
    assertEquals(failure, shrunk.result());
  }

  /** Each run broke a rule, but the remainder of another run says nothing about this run. */
  @Test
  void shouldRunAFailureAgainBeforeItLeavesAnythingOut() throws Exception {
    AtomicLong calls = new AtomicLong();
    Scenario scenario =
        run -> {
          run.simulation().trace(TraceKind.NOTE, calls.incrementAndGet(), 0);
          run.fail("odd", "always");
          run.simulation().check();
        };
    RunResult failure = new SimRunner(scenario, 1).run(RunSettings.of(1));
    Shrunk shrunk = new Shrinker(scenario, 1_000).shrink(failure);
    assertEquals("determinism", Objects.requireNonNull(shrunk.result().violation()).rule());
    assertEquals(1, shrunk.runs());
  }

  @Test
  @Timeout(60)
  void shouldGiveUpWithWhatItHasWhereALesserRunDoesNotEnd() throws Exception {
    AtomicBoolean isReleased = new AtomicBoolean();
    Scenario scenario =
        run -> {
          AtomicInteger done = new AtomicInteger();
          for (int i = 0; i < 4; i++) {
            run.at(i, "step", done::incrementAndGet);
          }
          run.runUntil(10);
          while (done.get() == 2 && !isReleased.get()) {
            Thread.onSpinWait();
          }
          run.fail("wrong", "always");
          run.simulation().check();
        };
    RunResult failure = new SimRunner(scenario, 1).run(RunSettings.of(1));
    Shrinker shrinker = new Shrinker(scenario, 100).patience(Duration.ofSeconds(1));
    List<Integer> sizes = new ArrayList<>();
    Shrunk shrunk = shrinker.onSmaller(less -> sizes.add(0)).shrink(failure);
    isReleased.set(true);
    assertNotNull(shrunk.result().violation());
    assertEquals("wrong", shrunk.result().violation().rule());
    assertEquals(1 + sizes.size() + (shrunk.result().happened().isEmpty() ? 0 : 1), shrunk.runs());
  }

  @Test
  void shouldRefuseARunThatDidNotFail() throws Exception {
    RunResult success = new SimRunner(run -> {}, 1).run(RunSettings.of(1));
    assertThrows(IllegalArgumentException.class, () -> new Shrinker(BUG, 5).shrink(success));
  }
}
