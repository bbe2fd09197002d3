package io.millrace.api;

import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.fabric.FabricSettings;
import io.millrace.testkit.sim.net.NetworkSettings;
import io.millrace.testkit.sim.node.NodeSettings;
import io.millrace.testkit.sim.node.SimCluster;
import io.millrace.testkit.sim.node.SimNode;
import io.millrace.testkit.sim.node.SimTransportSettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Two nodes under virtual time that serve nothing yet. Simulation thread. */
final class SimulatedNodes implements NodePair {
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(100);

  private final Simulation simulation;
  private final Transport server;
  private final Transport client;
  final SimCluster cluster;

  /** On a fabric, unless its settings are null. */
  SimulatedNodes(
      Simulation simulation,
      NetworkSettings network,
      @Nullable FabricSettings fabric,
      String overrides) {
    this.simulation = simulation;
    cluster = new SimCluster(simulation, network, fabric);
    cluster.add(2, NodeSettings.DEFAULT);
    server = start(cluster.node(0), overrides);
    client = start(cluster.node(1), overrides);
  }

  private static Transport start(SimNode node, String overrides) {
    node.boot();
    return Transport.builder(
            SimCluster.settings(node.number(), SimTransportSettings.parse(overrides)))
        .environment(node.environment())
        .start();
  }

  @Override
  public Transport server() {
    return server;
  }

  @Override
  public Transport client() {
    return client;
  }

  @Override
  public <T> T await(CompletableFuture<T> future) throws Exception {
    awaitUntil(future::isDone);
    return future.get(0, TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean awaitUntil(BooleanSupplier condition) {
    return simulation.runUntil(condition, simulation.nowNs() + LIMIT_NS);
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
