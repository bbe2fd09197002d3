package io.millrace.api;

import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.fabric.FabricSettings;
import io.millrace.testkit.sim.net.NetworkSettings;
import io.millrace.testkit.sim.node.NodeSettings;
import io.millrace.testkit.sim.node.SimCluster;
import io.millrace.testkit.sim.node.SimNode;
import io.millrace.testkit.sim.node.SimTransportSettings;
import org.jspecify.annotations.Nullable;

/** Two nodes under virtual time that serve nothing yet. Simulation thread. */
final class SimulatedNodes extends SimulatedTransports {

  private final Transport server;
  private final Transport client;
  final SimCluster cluster;

  /** On a fabric, unless its settings are null. */
  SimulatedNodes(
      Simulation simulation,
      NetworkSettings network,
      @Nullable FabricSettings fabric,
      String overrides) {
    super(simulation);
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
}
