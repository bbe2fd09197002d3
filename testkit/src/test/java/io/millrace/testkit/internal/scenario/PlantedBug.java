package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.FaultSchedule;
import io.millrace.testkit.sim.Outcome;

/**
 * A scenario with a bug on purpose: a node that came back executes messages with ids of a certain
 * kind again. Its nodes run nothing; the scenario itself is the application.
 */
public final class PlantedBug implements Scenario {
  /** Nodes. */
  public static final int NODES = 3;

  private static final long MS = 1_000_000;
  private static final int STEPS = 40;

  /** One scenario. */
  public PlantedBug() {}

  @Override
  public void run(FullRun run) {
    run.add(NODES, node -> {});
    new FaultSchedule(run, 100 * MS).crashes().pauses().partitions().links().clocks();
    Draws draws = run.swarm().draws("planted");
    for (int id = 0; id < STEPS; id++) {
      int call = id;
      int to = (int) draws.below(id, 0, NODES);
      run.at(draws.below(id, 1, 100 * MS), "call " + id, () -> call(run, call, to));
    }
    run.runUntil(100 * MS);
    run.heal();
    run.eventually(10 * MS, "all is resolved", run.history()::isSettled);
    run.quiesce();
  }

  private static void call(FullRun run, int id, int to) {
    run.history().sent(id, (to + 1) % NODES, to, id);
    run.history().executed(id, to, id);
    if (id % 5 == 0 && run.node(to).incarnation() > 1) {
      run.history().executed(id, to, id);
    }
    run.history().resolved(id, Outcome.DONE, "done");
  }
}
