package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.samples.sim.DefaultScenario.Load;
import io.millrace.samples.sim.DefaultScenario.Trouble;
import io.millrace.samples.sim.DefaultScenario.Variant;
import io.millrace.testkit.Repetitions;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.SimRunner;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.FaultSchedule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Delays, repetitions, overtaking, clocks, and the order of simultaneous events may change the time
 * of events, never the outcome of a call or a stream. Two runs of a seed with such differences have
 * the same history.
 */
final class SameHistoryTest {
  private static final int SEEDS = Repetitions.times(6);
  private static final int ORDERED_SEEDS = Repetitions.times(3);

  /** The work of the nodes, and their network. */
  enum Work {
    /** Calls over datagrams. */
    CALLS(Load.CALLS, false),
    /** Calls and streams over datagrams. */
    STREAMS(Load.STREAMS, false),
    /** The same over a fabric. */
    FABRIC(Load.STREAMS, true);

    private final Load load;
    private final boolean isFabric;

    Work(Load load, boolean isFabric) {
      this.load = load;
      this.isFabric = isFabric;
    }

    private TransportSettings settings() {
      return SimTransportSettings.parse(isFabric ? "millrace.regions.quarantine = 250 ms" : "");
    }

    private DefaultScenario scenario(Consumer<FaultSchedule> faults) {
      return new DefaultScenario(
          new Variant(
              Scenarios::quiet,
              isFabric ? swarm -> FabricSettings.DEFAULT : null,
              (swarm, node) -> settings(),
              faults,
              Trouble.ENDS,
              false,
              load));
    }
  }

  private record Told(RunResult result, List<String> history) {}

  private static Told run(Work work, RunSettings settings, Consumer<FaultSchedule> faults)
      throws InterruptedException {
    DefaultScenario scenario = work.scenario(faults);
    List<String> history = new ArrayList<>();
    RunResult result =
        new SimRunner(
                run -> {
                  scenario.run(run);
                  history.addAll(run.history().lines());
                },
                1)
            .run(settings);
    assertEquals(null, result.violation());
    return new Told(result, history);
  }

  @Test
  void shouldBeTheSameWheneverThingsHappen() throws InterruptedException {
    long faults = 0;
    int compared = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      RunSettings settings = RunSettings.of(seed);
      Told without = run(Work.CALLS, settings, schedule -> {});
      Told with = run(Work.CALLS, settings, FaultSchedule::timing);
      assertEquals(without.history(), with.history(), "seed " + seed);
      if (with.result().counts().faults() > 0) {
        assertNotEquals(without.result().traceHash(), with.result().traceHash());
      }
      faults += with.result().counts().faults();
      compared += with.history().size();
    }
    assertTrue(faults > SEEDS && compared > 10 * SEEDS, faults + " faults, " + compared);
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeTheSameInWhateverOrderThingsHappen(Work work) throws InterruptedException {
    int compared = 0;
    for (long seed = 1; seed <= ORDERED_SEEDS; seed++) {
      RunSettings settings = RunSettings.of(seed);
      Told one = run(work, settings, schedule -> {});
      Told other = run(work, settings.withOrder(1), schedule -> {});
      assertEquals(one.history(), other.history(), "seed " + seed);
      assertNotEquals(one.result().traceHash(), other.result().traceHash(), "seed " + seed);
      compared += one.history().size();
    }
    assertTrue(compared > 10 * ORDERED_SEEDS, compared + " calls and streams");
  }
}
