package io.millrace.testkit.sim.oracle;

import io.millrace.actor.pool.TransportPool;
import io.millrace.testkit.sim.node.NodeLife;
import io.millrace.testkit.sim.node.NodeObserver;
import io.millrace.testkit.sim.node.SimCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** The transports of all lives that are not over, in the order in which they were started. */
final class RunningPools implements NodeObserver {
  private final List<Running> running = new ArrayList<>();

  private record Running(NodeLife life, TransportPool pool) {}

  RunningPools(SimCluster cluster) {
    cluster.observe(this);
  }

  @Override
  public void onPoolStarted(NodeLife life, TransportPool pool) {
    running.add(new Running(life, pool));
  }

  @Override
  public void onLifeEnded(NodeLife life) {
    running.removeIf(each -> each.life() == life);
  }

  void forEach(BiConsumer<NodeLife, TransportPool> action) {
    for (int i = 0; i < running.size(); i++) {
      action.accept(running.get(i).life(), running.get(i).pool());
    }
  }
}
