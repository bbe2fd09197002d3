package io.millrace.api;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import org.jspecify.annotations.Nullable;

/** Two nodes under virtual time, without served routes at first. Simulation thread. */
final class SimulatedNodes extends SimulatedTransports {

  private final Transport server;
  private final Transport client;
  final FullCluster cluster;

  /** Creates the nodes on a fabric, unless the fabric's settings are null. */
  SimulatedNodes(
      Simulation simulation,
      NetworkSettings network,
      @Nullable FabricSettings fabric,
      String overrides) {
    super(simulation);
    cluster = new FullCluster(simulation, network, fabric);
    cluster.add(2, NodeSettings.DEFAULT);
    server = start(cluster.node(0), overrides);
    client = start(cluster.node(1), overrides);
  }

  private static Transport start(FullNode node, String overrides) {
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
