package io.millrace.testkit.internal.node;

import io.millrace.crypto.HandshakeProvider;
import io.millrace.driver.DriverProvider;
import io.millrace.loop.EventLoop;
import io.millrace.testkit.internal.fabric.SimFabric;
import io.millrace.testkit.internal.fabric.SimFabricDriver;
import io.millrace.testkit.internal.net.SimDriver;
import io.millrace.testkit.internal.net.SimHandshakes;
import io.millrace.testkit.internal.net.SimNetwork;
import io.millrace.testkit.sim.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The endpoints and handshakes of a life of a node on a {@link SimNetwork}, and on its fabrics if
 * present.
 */
final class LifeNetwork {
  private final SimNetwork network;
  private final List<SimFabric> fabrics;
  private final int node;
  private final DriverProvider driver;
  private final HandshakeProvider handshakes;

  LifeNetwork(SimNetwork network, List<SimFabric> fabrics, NodeLife life, VirtualTime time) {
    this.network = network;
    this.fabrics = List.copyOf(fabrics);
    node = life.node().number();
    Supplier<Runnable> wakers = () -> EventLoop.current()::wakeUp;
    List<DriverProvider> drivers = new ArrayList<>();
    fabrics.forEach(fabric -> drivers.add(new SimFabricDriver(fabric, node, wakers)));
    drivers.add(new SimDriver(network, node, wakers));
    driver = new LifeDrivers(drivers);
    handshakes = new SimHandshakes(network, node, time, life.newRandom("handshake"));
  }

  /**
   * Opens the endpoints of workers, by the first fabric or else by datagrams; finds the drivers of
   * the other fabrics, and of datagrams beside a fabric, by name. Called in a worker's turn, so
   * that an endpoint finds its worker's loop by {@code EventLoop.current()} and wakes this loop on
   * arrivals.
   */
  DriverProvider driver() {
    return driver;
  }

  /** Performs handshakes on the node's address. */
  HandshakeProvider handshakes() {
    return handshakes;
  }

  /**
   * Ends the life: its endpoints are gone at once and without a word, and their memory is freed.
   */
  void onEnd() {
    network.crash(node);
    fabrics.forEach(fabric -> fabric.crash(node));
  }
}
