package io.millrace.api;

import io.millrace.driver.DriverProvider;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.driver.ImpairedDriver;
import io.millrace.testkit.internal.driver.Impairment;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.udp.linux.LinuxUdpProvider;
import io.millrace.udp.nio.NioUdpProvider;
import java.util.List;

/** The worlds for stalling bodies: two nodes with little memory on a lossy network. */
enum StallWorld implements TestWorld {
  /** A simulated network, one thread, virtual time. */
  SIMULATED {
    @Override
    void run(Scenario scenario) throws Exception {
      simulate(simulation -> new SimulatedPair(simulation, IMPAIRMENT, SETTINGS), scenario);
    }
  },
  /** A simulated fabric: one-sided writes. */
  FABRIC {
    @Override
    void run(Scenario scenario) throws Exception {
      simulate(StallWorld::onFabric, scenario);
    }
  },
  /** The sockets of Linux on loopback. */
  UDP_PANAMA {
    @Override
    void run(Scenario scenario) throws Exception {
      onSockets(new LinuxUdpProvider(), scenario);
    }
  },
  /** The sockets of every JVM on loopback. */
  UDP_NIO {
    @Override
    void run(Scenario scenario) throws Exception {
      onSockets(new NioUdpProvider(), scenario);
    }
  };

  /** The number of regions for one peer; two bodies fill all regions. */
  static final int REGIONS = 16;

  static final String SETTINGS =
      """
      millrace {
        transfers { buffer-pool = 16 MiB, window = 512 KiB }
        regions { sizes = [64 KiB], counts = [40], grant-budget = 512 KiB, per-peer = 1 MiB }
      }
      """;

  private static final Impairment IMPAIRMENT = new Impairment(11, 1, 1, 1, 4, 0);
  private static final int LOSS_PPM = 10_000;
  private static final long DELAY_NS = 50_000;

  @Override
  public boolean isOnSockets() {
    return this == UDP_PANAMA || this == UDP_NIO;
  }

  /** The actions of a test with the nodes. */
  @FunctionalInterface
  interface Scenario {
    void run(NodePair nodes) throws Exception;
  }

  @FunctionalInterface
  private interface Pair {
    NodePair of(Simulation simulation);
  }

  abstract void run(Scenario scenario) throws Exception;

  /** Returns the remaining resources of transfers on a node. */
  List<String> left(Transport node) {
    return this == SIMULATED || this == FABRIC
        ? Remains.listSimulated(node)
        : Remains.listOfTransfers(node);
  }

  private static void simulate(Pair pair, Scenario scenario) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(IMPAIRMENT.seed());
              NodePair nodes = pair.of(simulation)) {
            scenario.run(nodes);
          }
          return null;
        });
  }

  private static NodePair onFabric(Simulation simulation) {
    SimulatedCluster cluster =
        new SimulatedCluster(
            simulation,
            2,
            NetworkSettings.clean(DELAY_NS)
                .withLink(LinkSettings.clean(DELAY_NS).withLoss(LossSettings.random(LOSS_PPM))),
            FabricSettings.DEFAULT,
            SimTransportSettings.parse(SETTINGS),
            new byte[0]);
    return new SimulatedTransports(simulation) {
      @Override
      public Transport server() {
        return cluster.transport(0);
      }

      @Override
      public Transport client() {
        return cluster.transport(1);
      }
    };
  }

  private static void onSockets(DriverProvider sockets, Scenario scenario) throws Exception {
    ImpairedDriver driver = new ImpairedDriver(sockets, IMPAIRMENT);
    try (TwoNodes nodes =
        new TwoNodes(
            SETTINGS, builder -> builder.driver(driver), builder -> builder.driver(driver))) {
      scenario.run(nodes);
    }
  }
}
