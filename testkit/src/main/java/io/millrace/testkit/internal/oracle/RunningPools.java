package io.millrace.testkit.internal.oracle;

import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.NodeObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** The transports of all lives that are not over, in the order of their start. */
final class RunningPools implements NodeObserver {
  private final List<Running> running = new ArrayList<>();

  private final BiConsumer<NodeLife, TransportPool> atEnd;

  private record Running(NodeLife life, TransportPool pool) {}

  RunningPools(FullCluster cluster) {
    this(cluster, (life, pool) -> {});
  }

  /**
   * Watches the transports of a cluster.
   *
   * @param atEnd receives the transports of each life that ends
   */
  RunningPools(FullCluster cluster, BiConsumer<NodeLife, TransportPool> atEnd) {
    this.atEnd = atEnd;
    cluster.observe(this);
  }

  @Override
  public void onPoolStarted(NodeLife life, TransportPool pool) {
    running.add(new Running(life, pool));
  }

  @Override
  public void onLifeEnded(NodeLife life) {
    for (Running each : running) {
      if (each.life() == life) {
        atEnd.accept(life, each.pool());
      }
    }
    running.removeIf(each -> each.life() == life);
  }

  void forEach(BiConsumer<NodeLife, TransportPool> action) {
    for (int i = 0; i < running.size(); i++) {
      action.accept(running.get(i).life(), running.get(i).pool());
    }
  }
}
