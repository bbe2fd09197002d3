package io.millrace.testkit.internal.fabric;

import io.millrace.driver.Capabilities;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.testkit.internal.base.SimAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/**
 * The driver of a simulated node on a {@link SimFabric}, in one of its lives. Endpoints are bound
 * to the IP addresses of the node's interfaces. Thread of the simulation.
 */
public final class SimFabricDriver implements DriverProvider {
  /** Longest message, bytes. */
  public static final int MAX_MESSAGE_BYTES = 8_972;

  private final SimFabric fabric;
  private final int node;
  private final Supplier<Runnable> wakers;

  /**
   * Creates a driver for a node.
   *
   * @param wakers gives each new endpoint its waker. The endpoint runs the waker whenever a poll
   *     would find something, often more than once. The waker must not poll at once
   */
  public SimFabricDriver(SimFabric fabric, int node, Supplier<Runnable> wakers) {
    this.fabric = fabric;
    this.node = node;
    this.wakers = wakers;
  }

  @Override
  public String name() {
    return fabric.family();
  }

  @Override
  public String family() {
    return fabric.family();
  }

  @Override
  public int preference() {
    return 0;
  }

  @Override
  public DriverAvailability probe() {
    InetSocketAddress any = new SimAddress(node, 0, 0).inet();
    return new DriverAvailability.Available(capabilities(EndpointSettings.defaults(any)));
  }

  private static Capabilities capabilities(EndpointSettings settings) {
    int messageBytes = Math.min(settings.maxDatagramBytes(), MAX_MESSAGE_BYTES);
    int packets = Math.max(1, settings.maxTrainPackets());
    int trainBytes = (int) Math.min((long) packets * messageBytes, SimFabric.BLOCK_BYTES);
    return new Capabilities(messageBytes, packets, trainBytes, false, false, false, true, true);
  }

  @Override
  public Endpoint open(EndpointSettings settings) throws DriverException {
    if (settings.sendBuffers() <= 0 || settings.maxDatagramBytes() <= 0) {
      throw new DriverException("an endpoint needs send buffers and messages of one byte at least");
    }
    InetSocketAddress bind = settings.bindAddress();
    if (bind.isUnresolved()) {
      throw new DriverException("the host " + bind.getHostString() + " is unknown");
    }
    SimAddress wanted = SimAddress.of(bind);
    if (wanted == null || wanted.node() != node) {
      throw new DriverException(
          "the address " + bind.getAddress().getHostAddress() + " is not of node " + node);
    }
    long address = fabric.newAddress(wanted);
    if (fabric.endpoint(address) != null) {
      throw new DriverException(
          "port " + SimFabric.port(address) + " on " + bind.getHostString() + " is in use");
    }
    SimFabricEndpoint endpoint =
        new SimFabricEndpoint(
            fabric, fabric.nic(address), address, settings, capabilities(settings), wakers.get());
    fabric.attach(endpoint);
    return endpoint;
  }
}
