package io.millrace.api;

import io.millrace.driver.DriverProvider;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.driver.ImpairedDriver;
import io.millrace.testkit.internal.driver.Impairment;
import io.millrace.udp.linux.LinuxUdpProvider;
import io.millrace.udp.nio.NioUdpProvider;
import java.util.List;

/** The worlds of a scenario: the same nodes, the same faults of the network, the same checks. */
enum World implements TestWorld {
  /** The sockets of Linux on loopback, threads, the machine's clock. */
  UDP_PANAMA {
    @Override
    void run(Impairment impairment, Settings settings, Scenario scenario) throws Exception {
      onDriver(new LinuxUdpProvider(), impairment, settings, scenario);
    }
  },
  /** The sockets of every JVM on loopback, threads, the machine's clock. */
  UDP_NIO {
    @Override
    void run(Impairment impairment, Settings settings, Scenario scenario) throws Exception {
      onDriver(new NioUdpProvider(), impairment, settings, scenario);
    }
  },
  /** A simulated network, one thread, virtual time. */
  SIMULATED {
    @Override
    void run(Impairment impairment, Settings settings, Scenario scenario) throws Exception {
      SimThread.call(
          () -> {
            try (Simulation simulation = new Simulation(impairment.seed());
                SimulatedPair nodes = new SimulatedPair(simulation, impairment, settings)) {
              scenario.run(nodes, nodes.driver);
            }
            return null;
          });
    }
  };

  @Override
  public boolean isOnSockets() {
    return this != SIMULATED;
  }

  /** Returns the worlds of a test without other parameters; see {@link TestWorld#chosen}. */
  static List<World> some() {
    return TestWorld.chosen(values());
  }

  /** The actions of a test with the nodes. */
  interface Scenario {
    void run(NodePair nodes, ImpairedDriver driver) throws Exception;
  }

  /**
   * The unusual settings of each node.
   *
   * @param server overrides of the server's settings
   * @param client overrides of the client's
   */
  record Settings(String server, String client) {}

  /** Runs the scenario on two nodes whose receivers treat datagrams as {@code impairment} says. */
  final void run(Impairment impairment, Scenario scenario) throws Exception {
    run(impairment, new Settings("", ""), scenario);
  }

  /** Runs the scenario on such nodes, with settings for each node. */
  abstract void run(Impairment impairment, Settings settings, Scenario scenario) throws Exception;

  /** Runs the scenario on two nodes of this process with endpoints of {@code real}. */
  static void onDriver(
      DriverProvider real, Impairment impairment, Settings settings, Scenario scenario)
      throws Exception {
    ImpairedDriver driver = new ImpairedDriver(real, impairment);
    try (TwoNodes nodes =
        new TwoNodes(
            settings, builder -> builder.driver(driver), builder -> builder.driver(driver))) {
      scenario.run(nodes, driver);
    }
  }
}
