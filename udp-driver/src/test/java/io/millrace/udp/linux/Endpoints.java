package io.millrace.udp.linux;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.NotReadySettings;
import io.millrace.testkit.internal.driver.Node;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Endpoints for tests. */
final class Endpoints {
  static final int SEND_BUFFERS = 16;

  private Endpoints() {}

  static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  static EndpointSettings settings(int connectedSockets, boolean ecn) {
    return new EndpointSettings(
        loopback(),
        4 << 20,
        4 << 20,
        8_972,
        SEND_BUFFERS,
        64,
        ecn,
        connectedSockets,
        1,
        NotReadySettings.DEFAULTS);
  }

  static LinuxUdpEndpoint open() throws DriverException {
    return open(new FfmLibc());
  }

  static LinuxUdpEndpoint open(Libc libc) throws DriverException {
    return LinuxUdpEndpoint.open(libc, settings(32, true));
  }

  static Node node() throws DriverException {
    return new Node(open());
  }

  static Node node(Libc libc) throws DriverException {
    return new Node(open(libc));
  }
}
