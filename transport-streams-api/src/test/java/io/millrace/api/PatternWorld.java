package io.millrace.api;

import io.millrace.testkit.driver.Impairment;

/** Where every pattern must do the same: datagrams are lost, doubled and swapped everywhere. */
enum PatternWorld {
  /** A simulated network, one thread, virtual time. */
  SIMULATED(World.SIMULATED),
  /** The driver of Linux, on loopback. */
  UDP_PANAMA(World.UDP_PANAMA),
  /** The driver of every JVM, on loopback. */
  UDP_NIO(World.UDP_NIO);

  private final World world;

  PatternWorld(World world) {
    this.world = world;
  }

  /** What is done with the nodes. */
  @FunctionalInterface
  interface Scenario {
    void run(NodePair nodes) throws Exception;
  }

  void run(Scenario scenario) throws Exception {
    run(new World.Settings("", ""), scenario);
  }

  void run(World.Settings settings, Scenario scenario) throws Exception {
    world.run(new Impairment(11, 2, 2, 2, 4, 0), settings, (nodes, driver) -> scenario.run(nodes));
  }
}
