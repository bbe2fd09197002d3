package io.millrace.testkit.sim.scenario;

import io.millrace.testkit.sim.core.SimThread;
import io.millrace.testkit.sim.core.SimViolation;
import io.millrace.testkit.sim.net.FiredFault;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Leaves out of a failing run what does not matter: planned faults, steps of the workload, faults
 * of single datagrams. What is left breaks the same rule. Any thread, one at a time.
 */
public final class Shrinker {
  private static final int ROUNDS = 3;

  private final Scenario scenario;
  private final int mostRuns;
  private Consumer<Shrunk> listener = shrunk -> {};

  /**
   * A shrinker.
   *
   * @param mostRuns runs that it may take for one failure
   */
  public Shrinker(Scenario scenario, int mostRuns) {
    this.scenario = scenario;
    this.mostRuns = mostRuns;
  }

  /** Calls {@code told} each time less is left, on the simulation thread. */
  public Shrinker onSmaller(Consumer<Shrunk> told) {
    listener = told;
    return this;
  }

  /**
   * What is left of a run.
   *
   * @param failure a run that broke a rule
   * @throws InterruptedException if the calling thread is interrupted
   */
  public Shrunk shrink(RunResult failure) throws InterruptedException {
    SimViolation violation = failure.violation();
    if (violation == null) {
      throw new IllegalArgumentException("seed " + failure.seed() + " did not fail");
    }
    Search search = new Search(failure, violation.rule());
    try {
      return SimThread.call(search::run);
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("a run threw what it declares not to", e);
    }
  }

  private final class Search {
    private final String rule;
    private final long seed;
    private Shrunk best;
    private int runs;

    private Search(RunResult failure, String rule) {
      this.rule = rule;
      seed = failure.seed();
      best = new Shrunk(Keep.ALL, failure, 0);
    }

    private Shrunk run() {
      fails(best.keep().withPackets(List.of()));
      int before = Integer.MAX_VALUE;
      for (int round = 0; round < ROUNDS && size() < before; round++) {
        before = size();
        minimize(numbers(true), best.keep()::withFaults);
        minimize(numbers(false), best.keep()::withSteps);
        minimize(
            best.result().varied().stream().map(VariedSetting::name).toList(),
            best.keep()::withSettings);
        List<FiredFault> packets = best.result().packetFaults();
        minimize(packets, best.keep()::withPackets);
      }
      return new Shrunk(best.keep(), best.result(), runs);
    }

    private int size() {
      return best.result().happened().size()
          + best.result().packetFaults().size()
          + best.result().varied().size();
    }

    private List<Integer> numbers(boolean faults) {
      return best.result().happened().stream()
          .filter(event -> event.isFault() == faults)
          .map(PlannedEvent::number)
          .sorted()
          .toList();
    }

    private <T> void minimize(List<T> items, Function<List<T>, Keep> keeping) {
      DeltaDebugging.minimize(items, some -> fails(keeping.apply(some)));
    }

    /** Whether the run still breaks the rule with only this; remembers it then. */
    private boolean fails(Keep keep) {
      if (runs >= mostRuns) {
        return false;
      }
      runs++;
      RunResult result = SingleRun.of(scenario, RunSettings.of(seed).withKeep(keep));
      SimViolation violation = result.violation();
      if (violation == null || !violation.rule().equals(rule)) {
        return false;
      }
      best = new Shrunk(keep, result, runs);
      listener.accept(best);
      return true;
    }
  }
}
