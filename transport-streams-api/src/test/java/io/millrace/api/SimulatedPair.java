package io.millrace.api;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.driver.ImpairedDriver;
import io.millrace.testkit.internal.driver.Impairment;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import java.util.Objects;

/**
 * Two nodes under virtual time on a clean network, each behind an impaired driver. Simulation
 * thread.
 */
final class SimulatedPair extends SimulatedTransports {
  /** All calls of a scenario are made at one instant. */
  private static final String SETTINGS =
      "millrace { workers.submission-depth = 4096, limits { waiting-calls = 4096, executor-queue ="
          + " 4096, concurrent-transfers = 4096 } }";

  private static final long DELAY_NS = 50_000;

  final ImpairedDriver driver;
  private final Transport server;
  private final Transport client;

  SimulatedPair(Simulation simulation, Impairment impairment) {
    this(simulation, impairment, new World.Settings("", ""));
  }

  SimulatedPair(Simulation simulation, Impairment impairment, String overrides) {
    this(simulation, impairment, new World.Settings(overrides, overrides));
  }

  SimulatedPair(Simulation simulation, Impairment impairment, World.Settings overrides) {
    super(simulation);
    FullCluster cluster = new FullCluster(simulation, NetworkSettings.clean(DELAY_NS));
    cluster.add(2, NodeSettings.DEFAULT);
    FullNode first = cluster.node(0);
    first.boot();
    // Tests read the counters from the first node's driver; on sockets both nodes share one driver.
    driver = impaired(first, impairment);
    server = start(first, driver, overrides.server());
    FullNode second = cluster.node(1);
    second.boot();
    client = start(second, impaired(second, impairment), overrides.client());
  }

  private static ImpairedDriver impaired(FullNode node, Impairment impairment) {
    return new ImpairedDriver(Objects.requireNonNull(node.environment().driver()), impairment);
  }

  private static Transport start(FullNode node, ImpairedDriver driver, String overrides) {
    return Transport.builder(
            SimCluster.settings(
                node.number(), SimTransportSettings.parse(SETTINGS + "\n" + overrides)))
        .environment(node.environment())
        .driver(driver)
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
