package io.millrace.testkit.sim.node;

import io.millrace.crypto.HandshakeAvailability;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import java.util.ArrayList;
import java.util.List;

/** What one life of a node has on a {@link WireNetwork}. */
final class WireNode implements NodeNetwork, DriverProvider {
  private final WireNetwork network;
  private final SimNode node;
  private final List<WireEndpoint> opened = new ArrayList<>();

  WireNode(WireNetwork network, SimNode node) {
    this.network = network;
    this.node = node;
  }

  @Override
  public DriverProvider driver() {
    return this;
  }

  @Override
  public HandshakeProvider handshakes() {
    return new Trust();
  }

  @Override
  public void onEnd() {
    opened.forEach(WireEndpoint::close);
    network.removeHandshaker(node.number());
  }

  @Override
  public String name() {
    return "wire";
  }

  @Override
  public String family() {
    return "wire";
  }

  @Override
  public int preference() {
    return 0;
  }

  @Override
  public DriverAvailability probe() {
    return new DriverAvailability.Unavailable("it is for tests");
  }

  @Override
  public Endpoint open(EndpointSettings settings) {
    WireEndpoint endpoint = new WireEndpoint(network, settings);
    opened.add(endpoint);
    return endpoint;
  }

  /** Establishes paths without a proof. */
  private final class Trust implements HandshakeProvider {
    @Override
    public String name() {
      return "trust";
    }

    @Override
    public HandshakeAvailability probe() {
      return new HandshakeAvailability.Available();
    }

    @Override
    public Handshaker open(HandshakeSettings settings, HandshakeListener listener) {
      return new WireHandshaker(network, node.number(), listener);
    }
  }
}
