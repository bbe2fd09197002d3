package io.millrace.udp.internal;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/** Turns MTUs into bytes of UDP payload. Stateless. */
public final class PathLimit {
  private static final int IPV4_OVERHEAD_BYTES = 20 + 8;
  private static final int IPV6_OVERHEAD_BYTES = 40 + 8;
  private static final int ETHERNET_BYTES = 14;

  private PathLimit() {}

  /**
   * Returns the payload bytes of an unfragmented datagram on a path with an MTU of {@code
   * mtuBytes}.
   */
  public static int ofMtu(int mtuBytes, boolean isIpv4) {
    int payload = mtuBytes - (isIpv4 ? IPV4_OVERHEAD_BYTES : IPV6_OVERHEAD_BYTES);
    return Math.clamp(payload, 1, SendLimits.MAX_UDP_PAYLOAD_BYTES);
  }

  /** Returns the overhead of an Ethernet frame over the payload of its datagram, in bytes. */
  public static int overheadBytes(boolean isIpv4) {
    return ETHERNET_BYTES + (isIpv4 ? IPV4_OVERHEAD_BYTES : IPV6_OVERHEAD_BYTES);
  }

  /**
   * Returns the largest payload that the interface with this address sends; the maximum of UDP if
   * the interface is unknown.
   */
  public static int ofInterface(InetAddress local) {
    try {
      NetworkInterface networkInterface =
          local.isAnyLocalAddress() ? null : NetworkInterface.getByInetAddress(local);
      if (networkInterface != null && networkInterface.getMTU() > 0) {
        return ofMtu(networkInterface.getMTU(), local instanceof Inet4Address);
      }
    } catch (SocketException e) {
      // The MTU is unknown then.
    }
    return SendLimits.MAX_UDP_PAYLOAD_BYTES;
  }
}
