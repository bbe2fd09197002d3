package io.millrace.testkit.sim.node;

import io.millrace.actor.dispatcher.EventLoop;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.driver.DriverProvider;
import io.millrace.testkit.sim.net.SimDriver;
import io.millrace.testkit.sim.net.SimHandshakes;
import io.millrace.testkit.sim.net.SimNetwork;

/** What one life of a node has on a {@link SimNetwork}. */
final class LifeNetwork implements NodeNetwork {
  private final SimNetwork network;
  private final int node;
  private final DriverProvider driver;
  private final HandshakeProvider handshakes;

  LifeNetwork(SimNetwork network, NodeLife life) {
    this.network = network;
    node = life.node().number();
    driver = new SimDriver(network, node, () -> EventLoop.current()::wakeUp);
    handshakes = new SimHandshakes(network, node, life.time(), life.newRandom("handshake"));
  }

  @Override
  public DriverProvider driver() {
    return driver;
  }

  @Override
  public HandshakeProvider handshakes() {
    return handshakes;
  }

  @Override
  public void onEnd() {
    network.crash(node);
  }
}
