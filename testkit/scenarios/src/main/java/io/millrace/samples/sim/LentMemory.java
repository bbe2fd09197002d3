package io.millrace.samples.sim;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.SimRun;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks that memory lent to transports comes back: at the end of all transfers, each source was
 * closed once, and each target was completed or aborted. Memory lent to an ended life is forgotten.
 */
final class LentMemory {
  private final FullRun run;
  private final List<Lent> all = new ArrayList<>();

  private record Lent(SimulatedServer life, String what, BooleanSupplier isBack) {}

  LentMemory(SimRun run) {
    this.run = FullRun.of(run);
  }

  /** Notes a source given to a transport of this life. */
  PatternSource lend(SimulatedServer life, Object what, PatternSource source) {
    all.add(new Lent(life, "the source of " + what, () -> source.closings() == 1));
    return source;
  }

  /** Notes a target given to a transport of this life. */
  PatternTarget lend(SimulatedServer life, Object what, PatternTarget target) {
    all.add(new Lent(life, "the target of " + what, () -> target.end() != PatternTarget.End.OPEN));
    return target;
  }

  /**
   * Waits after the end of all transfers at the living nodes; executors may still have to hear of
   * the end.
   */
  void awaitBack(ClusterWork work, long withinNs) {
    Simulation simulation = run.simulation();
    simulation.runUntil(() -> kept(work) == null, simulation.nowNs() + withinNs);
    Lent kept = kept(work);
    if (kept != null) {
      run.fail("lent memory comes back", kept.what() + " was not given back, or more than once");
    }
  }

  private @Nullable Lent kept(ClusterWork work) {
    for (Lent lent : all) {
      if (work.life(lent.life().number()) == lent.life() && !lent.isBack().getAsBoolean()) {
        return lent;
      }
    }
    return null;
  }
}
