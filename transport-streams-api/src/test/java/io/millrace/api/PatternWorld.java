package io.millrace.api;

import io.millrace.testkit.driver.Impairment;

/** Where every pattern must do the same. */
enum PatternWorld {
  /** A simulated network that loses, doubles and swaps, one thread, virtual time. */
  SIMULATED {
    @Override
    void run(Scenario scenario) throws Exception {
      World.SIMULATED.run(
          new Impairment(11, 2, 2, 2, 4, 0), (nodes, driver) -> scenario.run(nodes));
    }
  },
  /** The driver of Linux, on loopback. */
  UDP_PANAMA {
    @Override
    void run(Scenario scenario) throws Exception {
      onSockets("udp", scenario);
    }
  },
  /** The driver of every JVM, on loopback. */
  UDP_NIO {
    @Override
    void run(Scenario scenario) throws Exception {
      onSockets("udp-nio", scenario);
    }
  };

  /** What is done with the nodes. */
  @FunctionalInterface
  interface Scenario {
    void run(NodePair nodes) throws Exception;
  }

  abstract void run(Scenario scenario) throws Exception;

  private static void onSockets(String driver, Scenario scenario) throws Exception {
    try (TwoNodes nodes = new TwoNodes("millrace.nic.driver = " + driver)) {
      scenario.run(nodes);
    }
  }
}
