package io.millrace.testkit.sim.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

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
  void shouldRefuseARunThatDidNotFail() throws Exception {
    RunResult success = new SimRunner(run -> {}, 1).run(RunSettings.of(1));
    assertThrows(IllegalArgumentException.class, () -> new Shrinker(BUG, 5).shrink(success));
  }
}
