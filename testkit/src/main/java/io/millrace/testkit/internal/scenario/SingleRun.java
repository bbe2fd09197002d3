package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.SimSettings;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.core.TraceLog;
import io.millrace.testkit.internal.net.FiredFault;
import io.millrace.testkit.internal.node.FullCluster;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs a scenario once, from an empty simulation to its end. */
final class SingleRun {
  private SingleRun() {}

  /**
   * Runs the scenario; all failures of the run are in the result. Simulation thread only.
   *
   * @param log receives the trace, or null
   */
  static RunResult of(
      Scenario scenario, RunSettings settings, RunWatch watch, @Nullable TraceLog log) {
    RunResult result = watched(scenario, settings, watch, log);
    SimViolation cut = watch.onEnd();
    return cut == null ? result : result.withViolation(cut);
  }

  private static RunResult watched(
      Scenario scenario, RunSettings settings, RunWatch watch, @Nullable TraceLog log) {
    SimSettings ordered = SimSettings.DEFAULT.withOrder(settings.order());
    try (Simulation simulation = new Simulation(settings.seed(), ordered)) {
      watch.onBegin(settings, simulation);
      if (log != null) {
        simulation.log(log);
      }
      FullRun run = new FullRun(simulation, settings);
      SimViolation violation = violation(scenario, simulation, run);
      return result(simulation, run, settings.keep(), violation);
    }
  }

  private static @Nullable SimViolation violation(
      Scenario scenario, Simulation simulation, FullRun run) {
    try {
      scenario.run(run);
      simulation.check();
      return null;
    } catch (SimViolation e) {
      return e;
    } catch (Exception | AssertionError | StackOverflowError e) {
      // A broken rule noticed before explains why the scenario could not go on.
      SimViolation first = simulation.violation();
      return first != null
          ? first
          : new SimViolation(simulation.seed(), simulation.nowNs(), rule(e), e.toString(), e);
    }
  }

  private static String rule(Throwable e) {
    return e instanceof AssertionError ? "assertion" : "scenario threw " + e.getClass().getName();
  }

  private static long delivered(FullCluster cluster) {
    long messages =
        cluster.fabrics().stream().mapToLong(fabric -> fabric.counters().messagesDelivered).sum();
    return cluster.network().counters().delivered() + messages;
  }

  private static @Nullable SimViolation missing(Simulation simulation, KeptParts kept) {
    return kept.missing().isEmpty()
        ? null
        : new SimViolation(
            simulation.seed(), simulation.nowNs(), KeptParts.RULE, kept.complaint(), null);
  }

  private static RunResult result(
      Simulation simulation, FullRun run, Keep keep, @Nullable SimViolation broken) {
    FullCluster cluster = run.clusterIfAny();
    boolean needsFired = broken != null || !keep.isAll();
    List<FiredFault> fired =
        cluster != null && needsFired ? cluster.network().firedFaults() : List.of();
    KeptParts kept = KeptParts.of(keep, run, fired);
    // A run that ended early may not have come to all the parts that it was to keep.
    SimViolation violation = broken != null ? broken : missing(simulation, kept);
    boolean isFailed = violation != null;
    return new RunResult(
        simulation.seed(),
        simulation.trace().hex(),
        violation,
        new RunResult.Counts(
            simulation.nowNs(),
            simulation.firedEvents(),
            cluster == null ? 0 : delivered(cluster),
            run.history().executed(),
            run.firedFaults()),
        run.coverage(),
        run.unmetFaults(),
        isFailed ? run.happened() : List.of(),
        isFailed ? fired : List.of(),
        isFailed ? run.swarm().varied() : List.of(),
        kept);
  }
}
