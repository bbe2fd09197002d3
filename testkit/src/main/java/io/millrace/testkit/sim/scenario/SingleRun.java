package io.millrace.testkit.sim.scenario;

import io.millrace.testkit.sim.core.SimViolation;
import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.net.SimNetwork;
import io.millrace.testkit.sim.node.SimCluster;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs a scenario once, from an empty simulation to its end. */
final class SingleRun {
  private SingleRun() {}

  /** Runs it; whatever goes wrong in it is in the result. Simulation thread only. */
  static RunResult of(Scenario scenario, RunSettings settings) {
    try (Simulation simulation = new Simulation(settings.seed())) {
      SimRun run = new SimRun(simulation, settings);
      return result(simulation, run, violation(scenario, simulation, run));
    }
  }

  private static @Nullable SimViolation violation(
      Scenario scenario, Simulation simulation, SimRun run) {
    try {
      scenario.run(run);
      simulation.check();
      return null;
    } catch (SimViolation e) {
      return e;
    } catch (Exception | AssertionError | StackOverflowError e) {
      // A broken rule that was noticed before is why the scenario could not go on.
      SimViolation first = simulation.violation();
      return first != null
          ? first
          : new SimViolation(simulation.seed(), simulation.nowNs(), rule(e), e.toString(), e);
    }
  }

  private static String rule(Throwable e) {
    return e instanceof AssertionError ? "assertion" : "scenario threw " + e.getClass().getName();
  }

  private static long delivered(SimCluster cluster) {
    long messages = cluster.hasFabric() ? cluster.fabric().counters().messagesDelivered : 0;
    return cluster.network().counters().delivered() + messages;
  }

  private static RunResult result(
      Simulation simulation, SimRun run, @Nullable SimViolation violation) {
    SimCluster cluster = run.clusterIfAny();
    SimNetwork network = cluster == null ? null : cluster.network();
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
        isFailed && network != null ? network.firedFaults() : List.of(),
        isFailed ? run.swarm().varied() : List.of());
  }
}
