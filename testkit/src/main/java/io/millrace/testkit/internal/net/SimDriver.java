package io.millrace.testkit.internal.net;

import io.millrace.driver.Capabilities;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.sim.LinkSettings;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/**
 * The datagram driver of a simulated node, in one of its lives. Endpoints are bound to the IP
 * addresses of the node's interfaces ({@link SimAddress}). Thread of the simulation.
 */
public final class SimDriver implements DriverProvider {
  private final SimNetwork network;
  private final int node;
  private final Supplier<Runnable> wakers;

  /**
   * Creates a driver for a node.
   *
   * @param wakers gives each new endpoint its waker. The endpoint runs the waker whenever a poll
   *     would find something, often more than once. The waker must not poll at once
   */
  public SimDriver(SimNetwork network, int node, Supplier<Runnable> wakers) {
    this.network = network;
    this.node = node;
    this.wakers = wakers;
  }

  @Override
  public String name() {
    return SimAddress.FAMILY;
  }

  @Override
  public String family() {
    return SimAddress.FAMILY;
  }

  @Override
  public int preference() {
    return 0;
  }

  @Override
  public DriverAvailability probe() {
    EndpointSettings settings = EndpointSettings.defaults(network.nic(node, 0).address(0).inet());
    return new DriverAvailability.Available(capabilities(settings));
  }

  private Capabilities capabilities(EndpointSettings settings) {
    int datagramBytes = Math.min(settings.maxDatagramBytes(), LinkSettings.MAX_DATAGRAM_BYTES);
    int packets = Math.max(1, settings.maxTrainPackets());
    long trainBytes = (long) packets * datagramBytes;
    return new Capabilities(
        datagramBytes,
        packets,
        (int) Math.min(trainBytes, LinkSettings.MAX_DATAGRAM_BYTES),
        packets > 1,
        false,
        settings.ecn(),
        network.run().settings().reportsUnreachable(),
        false);
  }

  @Override
  public Endpoint open(EndpointSettings settings) throws DriverException {
    if (settings.sendBuffers() <= 0) {
      throw new DriverException("an endpoint needs send buffers, not " + settings.sendBuffers());
    }
    if (settings.maxDatagramBytes() <= 0) {
      throw new DriverException(
          "a datagram has at least one byte, not " + settings.maxDatagramBytes());
    }
    SimAddress address = address(settings.bindAddress());
    SimNic nic = network.nic(node, address.nic());
    if (address.port() != 0 && nic.port(address.port()) != null) {
      String host = settings.bindAddress().getAddress().getHostAddress();
      throw new DriverException("port " + address.port() + " on " + host + " is in use");
    }
    int[] ports = new int[Math.max(1, settings.sourcePorts())];
    ports[0] = address.port() == 0 ? nic.freePort() : address.port();
    for (int i = 1; i < ports.length; i++) {
      ports[i] = nic.freePort();
    }
    SimEndpoint endpoint =
        new SimEndpoint(network, nic, ports, settings, capabilities(settings), wakers.get());
    for (int port : ports) {
      nic.attach(port, endpoint);
    }
    return endpoint;
  }

  private SimAddress address(InetSocketAddress bind) throws DriverException {
    if (bind.isUnresolved()) {
      throw new DriverException("the host " + bind.getHostString() + " is unknown");
    }
    SimAddress address = SimAddress.of(bind);
    if (address == null || address.node() != node) {
      throw new DriverException(
          "the address " + bind.getAddress().getHostAddress() + " is not of node " + node);
    }
    return address;
  }
}
