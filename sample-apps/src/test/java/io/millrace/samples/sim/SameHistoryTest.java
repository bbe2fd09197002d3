package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.sim.DefaultScenario.Load;
import io.millrace.samples.sim.DefaultScenario.Trouble;
import io.millrace.samples.sim.DefaultScenario.Variant;
import io.millrace.testkit.sim.node.SimTransportSettings;
import io.millrace.testkit.sim.scenario.FaultSchedule;
import io.millrace.testkit.sim.scenario.RunResult;
import io.millrace.testkit.sim.scenario.RunSettings;
import io.millrace.testkit.sim.scenario.SimRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Delays, repetitions, overtaking and clocks may change when things happen, never what becomes of a
 * call: two runs of one seed that differ in them have the same history.
 */
final class SameHistoryTest {
  private static final int SEEDS = 60;

  private record Told(RunResult result, List<String> history) {}

  private static Told run(long seed, Consumer<FaultSchedule> faults) throws InterruptedException {
    DefaultScenario scenario =
        new DefaultScenario(
            new Variant(
                Scenarios::quiet,
                null,
                (swarm, node) -> SimTransportSettings.parse(""),
                faults,
                Trouble.ENDS,
                false,
                Load.CALLS));
    List<String> history = new ArrayList<>();
    RunResult result =
        new SimRunner(
                run -> {
                  scenario.run(run);
                  history.addAll(run.history().lines());
                },
                1)
            .run(RunSettings.of(seed));
    return new Told(result, history);
  }

  @Test
  void shouldBeTheSameWheneverThingsHappen() throws InterruptedException {
    long faults = 0;
    int compared = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Told without = run(seed, schedule -> {});
      Told with = run(seed, FaultSchedule::timing);
      assertEquals(null, without.result().violation());
      assertEquals(null, with.result().violation());
      assertEquals(without.history(), with.history(), "seed " + seed);
      if (with.result().counts().faults() > 0) {
        assertNotEquals(without.result().traceHash(), with.result().traceHash());
      }
      faults += with.result().counts().faults();
      compared += with.history().size();
    }
    assertTrue(faults > SEEDS && compared > 10 * SEEDS, faults + " faults, " + compared);
  }
}
