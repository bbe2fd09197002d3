package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.net.FiredFault;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Leaves out of a failing run all parts without influence: planned faults, steps of the workload,
 * unusual settings, faults of single datagrams. The remaining run breaks the same rule. Any thread,
 * but no two threads at once.
 */
public final class Shrinker {
  private static final int ROUNDS = 3;

  /** Rules for which leaving out parts says nothing. */
  private static final List<String> WHOLE =
      List.of(RepeatedRun.RULE, CurrentRun.RULE, KeptParts.RULE);

  private final Scenario scenario;
  private final int mostRuns;
  private Duration patience = SimRunner.usualPatience();
  private Consumer<Shrunk> listener = shrunk -> {};

  /**
   * Creates a shrinker.
   *
   * @param mostRuns most runs for one failure
   */
  public Shrinker(Scenario scenario, int mostRuns) {
    this.scenario = scenario;
    this.mostRuns = mostRuns;
  }

  /** Whether a rule may be broken again by a part of a run, or by the same run once more. */
  public static boolean isOfParts(String rule) {
    return !WHOLE.contains(rule);
  }

  /** Calls {@code told} each time the run gets smaller, on the simulation thread. */
  public Shrinker onSmaller(Consumer<Shrunk> told) {
    listener = told;
    return this;
  }

  /** How long one run may take, real time; zero is for ever. A longer run is the last run. */
  public Shrinker patience(Duration most) {
    patience = most;
    return this;
  }

  /**
   * Returns the remainder of a run. The shrinker first repeats the run: a run that differs the
   * second time has broken the rule of determinism, whatever other rule the run broke. Nothing is
   * left out where two runs of a seed differ, where a run took too long, or where a run lacks parts
   * to keep. Such a failure says nothing about parts.
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
    if (isOfParts(violation.rule())) {
      WatchedThreads.run(1, patience, search::run, (settings, late) -> {});
    }
    return search.found();
  }

  private final class Search {
    private final String rule;
    private final long seed;
    private RunWatch watch = new RunWatch();
    // Read by the watching thread; each beginning run publishes all earlier writes to this thread.
    private Shrunk best;
    private int runs;

    private Search(RunResult failure, String rule) {
      this.rule = rule;
      seed = failure.seed();
      best = new Shrunk(failure.kept().keep(), failure, 0);
    }

    private void run(RunWatch watch) {
      this.watch = watch;
      if (!isSameAgain()) {
        return;
      }
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
    }

    private boolean isSameAgain() {
      RunSettings settings = RunSettings.of(seed).withKeep(best.keep());
      runs++;
      RunResult first = best.result();
      RunResult again = new RepeatedRun(scenario, settings, watch).again(first);
      boolean isSame = again.violation() == first.violation();
      if (!isSame) {
        best = new Shrunk(best.keep(), again, runs);
        listener.accept(best);
      }
      return isSame;
    }

    private Shrunk found() {
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

    /** Whether the run still breaks the rule with only these parts; if so, remembers the run. */
    private boolean fails(Keep keep) {
      if (runs >= mostRuns || watch.isStopped()) {
        return false;
      }
      runs++;
      RunResult result = SingleRun.of(scenario, RunSettings.of(seed).withKeep(keep), watch, null);
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
