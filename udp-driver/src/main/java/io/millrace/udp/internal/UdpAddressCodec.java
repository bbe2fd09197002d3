package io.millrace.udp.internal;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * Endpoint addresses of the family {@code udp}: 4 or 16 bytes of IP address, 2 of port, in network
 * order. Stateless; control plane.
 */
public final class UdpAddressCodec {
  /** The family of both socket drivers. */
  public static final String FAMILY = "udp";

  private static final int PORT_BYTES = 2;
  private static final int IPV4_LENGTH = 4 + PORT_BYTES;
  private static final int IPV6_LENGTH = 16 + PORT_BYTES;

  private UdpAddressCodec() {}

  /** Returns the address bytes of {@code address}, then its port. */
  public static EndpointAddress encode(InetSocketAddress address) {
    byte[] ip = address.getAddress().getAddress();
    byte[] bytes = Arrays.copyOf(ip, ip.length + PORT_BYTES);
    bytes[ip.length] = (byte) (address.getPort() >>> 8);
    bytes[ip.length + 1] = (byte) address.getPort();
    return new EndpointAddress(FAMILY, bytes);
  }

  /**
   * Returns the socket address in {@code remote}, for a socket bound to {@code local}. A link-local
   * IPv6 address gets the scope of {@code local}, because the scope does not travel.
   *
   * @throws DriverException if the address is malformed, or of another family or IP version
   */
  public static InetSocketAddress decode(EndpointAddress remote, InetAddress local)
      throws DriverException {
    if (!FAMILY.equals(remote.family())) {
      throw new DriverException("address " + remote + " is not of the family " + FAMILY);
    }
    byte[] bytes = remote.bytes();
    if (bytes.length != IPV4_LENGTH && bytes.length != IPV6_LENGTH) {
      throw new DriverException("address " + remote + " is malformed: " + bytes.length + " bytes");
    }
    boolean isIpv4 = bytes.length == IPV4_LENGTH;
    if (isIpv4 != local instanceof Inet4Address) {
      throw new DriverException(
          "address " + remote + " has another IP version than " + local.getHostAddress());
    }
    int portIndex = bytes.length - PORT_BYTES;
    int port = (bytes[portIndex] & 0xFF) << 8 | (bytes[portIndex + 1] & 0xFF);
    if (port == 0) {
      throw new DriverException("address " + remote + " is malformed: port 0");
    }
    return new InetSocketAddress(ipAddress(Arrays.copyOf(bytes, portIndex), local), port);
  }

  private static InetAddress ipAddress(byte[] ip, InetAddress local) throws DriverException {
    try {
      if (ip.length == 4) {
        return InetAddress.getByAddress(ip);
      }
      Inet6Address address = Inet6Address.getByAddress(null, ip, 0);
      if (address.isLinkLocalAddress() && local instanceof Inet6Address scoped) {
        return Inet6Address.getByAddress(null, ip, scoped.getScopeId());
      }
      return Inet6Address.getByAddress(null, ip, -1);
    } catch (UnknownHostException e) {
      throw new DriverException("address is malformed: " + e.getMessage(), e);
    }
  }
}
