package io.millrace.udp.nio;

import io.millrace.driver.Capabilities;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.udp.internal.SendLimits;
import io.millrace.udp.internal.UdpAddressCodec;
import java.io.IOException;
import java.nio.channels.DatagramChannel;

/**
 * The socket driver for every system with a JDK. The driver cuts trains itself, one system call per
 * datagram, and cannot read congestion marks.
 */
public final class NioUdpProvider implements DriverProvider {
  private static final int PREFERENCE = 10;

  /** Creates the provider; the service loader does. */
  public NioUdpProvider() {}

  @Override
  public String name() {
    return "udp-nio";
  }

  @Override
  public String family() {
    return UdpAddressCodec.FAMILY;
  }

  @Override
  public int preference() {
    return PREFERENCE;
  }

  @Override
  public DriverAvailability probe() {
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.configureBlocking(false);
      return new DriverAvailability.Available(
          capabilities(
              new SendLimits(
                  SendLimits.MAX_UDP_PAYLOAD_BYTES,
                  SendLimits.MAX_TRAIN_PACKETS,
                  SendLimits.MAX_UDP_PAYLOAD_BYTES)));
    } catch (IOException | RuntimeException e) {
      return new DriverAvailability.Unavailable("no datagram channel can be opened: " + e);
    }
  }

  @Override
  public Endpoint open(EndpointSettings settings) throws DriverException {
    return NioUdpEndpoint.open(settings);
  }

  static Capabilities capabilities(SendLimits limits) {
    return new Capabilities(
        limits.maxDatagramBytes(),
        limits.maxTrainPackets(),
        limits.maxTrainBytes(),
        false,
        false,
        false,
        false,
        false);
  }
}
