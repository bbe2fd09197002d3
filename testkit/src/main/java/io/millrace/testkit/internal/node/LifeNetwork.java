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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints and handshakes of a life of a node on a {@link SimNetwork}, and on its fabric if
 * present.
 */
final class LifeNetwork {
  private final SimNetwork network;
  private final @Nullable SimFabric fabric;
  private final int node;
  private final DriverProvider driver;
  private final HandshakeProvider handshakes;

  LifeNetwork(SimNetwork network, @Nullable SimFabric fabric, NodeLife life, VirtualTime time) {
    this.network = network;
    this.fabric = fabric;
    node = life.node().number();
    Supplier<Runnable> wakers = () -> EventLoop.current()::wakeUp;
    driver =
        fabric == null
            ? new SimDriver(network, node, wakers)
            : new SimFabricDriver(fabric, node, wakers);
    handshakes = new SimHandshakes(network, node, time, life.newRandom("handshake"));
  }

  /**
   * Opens the endpoints of workers. Called in a worker's turn, so that an endpoint finds its
   * worker's loop by {@code EventLoop.current()} and wakes this loop on arrivals.
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
    if (fabric != null) {
      fabric.crash(node);
    }
  }
}
