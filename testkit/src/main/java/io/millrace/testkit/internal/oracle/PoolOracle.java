package io.millrace.testkit.internal.oracle;

import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.sim.StepOracle;

/**
 * Looks at every running transport now and then, when its node crashes, and after the close of all
 * transports.
 */
abstract class PoolOracle implements StepOracle {
  final Simulation simulation;
  final RunningPools pools;
  private final int everySteps;
  private int stepsLeft;

  PoolOracle(FullCluster cluster, int everySteps) {
    this.everySteps = everySteps;
    stepsLeft = everySteps;
    simulation = cluster.simulation();
    pools = new RunningPools(cluster, this::check);
  }

  @Override
  public void onStep() {
    if (--stepsLeft == 0) {
      stepsLeft = everySteps;
      checkAll();
    }
  }

  @Override
  public void onQuiescent() {
    checkAll();
  }

  final void checkAll() {
    pools.forEach(this::check);
  }

  /** Checks a transport against the rule. */
  abstract void check(NodeLife life, TransportPool pool);

  final void fail(NodeLife life, String detail) {
    simulation.fail(name(), Lives.text(life) + ": " + detail, null);
  }
}
