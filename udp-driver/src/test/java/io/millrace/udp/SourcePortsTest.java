package io.millrace.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.NotReadySettings;
import io.millrace.driver.SendBuffer;
import io.millrace.testkit.internal.driver.RecordingHandler;
import io.millrace.udp.internal.UdpAddressCodec;
import io.millrace.udp.linux.LinuxUdpProvider;
import io.millrace.udp.nio.NioUdpProvider;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The traffic of an endpoint with several source ports, as seen by the network. */
@Timeout(60)
class SourcePortsTest {
  private static final int PORTS = 5;

  static Stream<DriverProvider> providers() {
    return Stream.of(new LinuxUdpProvider(), new NioUdpProvider());
  }

  @ParameterizedTest
  @MethodSource("providers")
  void shouldSendFromPortsOfItsOwn(DriverProvider provider) throws Exception {
    assumeTrue(provider.probe() instanceof DriverAvailability.Available, "the driver works here");
    InetAddress loopback = InetAddress.getLoopbackAddress();
    EndpointSettings settings =
        new EndpointSettings(
            new InetSocketAddress(loopback, 0),
            1 << 16,
            1 << 16,
            1_472,
            16,
            16,
            true,
            1,
            PORTS,
            NotReadySettings.DEFAULTS);
    try (DatagramSocket receiver = new DatagramSocket(0, loopback);
        Endpoint endpoint = provider.open(settings)) {
      assertEquals(PORTS, endpoint.sourcePorts());
      InetSocketAddress address = new InetSocketAddress(loopback, receiver.getLocalPort());
      int destination = endpoint.resolve(UdpAddressCodec.encode(address));
      Set<Integer> seen = new LinkedHashSet<>();
      for (int round = 0; round < 2; round++) {
        for (int port = 0; port < PORTS; port++) {
          seen.add(send(endpoint, port, destination, receiver));
        }
      }
      assertEquals(PORTS, seen.size(), () -> "ports: " + seen);
      InetSocketAddress local = UdpAddressCodec.decode(endpoint.localAddress(), loopback);
      assertEquals(local.getPort(), seen.iterator().next(), "the first one is the endpoint's own");
    }
  }

  private static int send(Endpoint endpoint, int port, int destination, DatagramSocket receiver)
      throws Exception {
    SendBuffer buffer = Objects.requireNonNull(endpoint.acquireSendBuffer());
    buffer.buffer().putByte(0, (byte) port);
    endpoint.postSend(port, destination, buffer, 1, 1, 0);
    endpoint.flush();
    DatagramPacket packet = new DatagramPacket(new byte[10], 10);
    receiver.receive(packet);
    assertEquals(1, packet.getLength());
    assertEquals(port, packet.getData()[0]);
    assertTrue(endpoint.poll(new RecordingHandler(), 64) > 0, "the buffer is free again");
    return packet.getPort();
  }

  @ParameterizedTest
  @MethodSource("providers")
  void shouldTellWhatHeadersTake(DriverProvider provider) throws Exception {
    assumeTrue(provider.probe() instanceof DriverAvailability.Available, "the driver works here");
    InetSocketAddress any =
        new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0);
    try (Endpoint endpoint = provider.open(EndpointSettings.defaults(any))) {
      assertEquals(14 + 20 + 8, endpoint.packetOverheadBytes());
      assertEquals(1, endpoint.sourcePorts());
    }
  }
}
