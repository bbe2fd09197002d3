package io.millrace.path.network;

import io.millrace.driver.EndpointAddress;
import java.util.Arrays;

/**
 * A way between a worker of this node and a worker of a peer: an endpoint of each, of the same
 * driver family. Immutable, any thread.
 *
 * @param local index among the endpoints advertised by this side
 * @param remote index among the endpoints advertised by the peer
 * @param address the address of the peer's endpoint
 * @param isOneSided whether each side may write into the other side's regions by this rail
 * @param isProved whether the peer's endpoint is at the IP address at which the peer proved its
 *     identity. An endpoint on a fabric counts as proved, for the fabric guards its addresses; rule
 *     N-10
 */
public record Rail(
    int local, int remote, EndpointAddress address, boolean isOneSided, boolean isProved) {
  private static final String UDP = "udp";
  private static final int PORT_BYTES = 2;

  /** The same with a proved endpoint. */
  public Rail(int local, int remote, EndpointAddress address, boolean isOneSided) {
    this(local, remote, address, isOneSided, true);
  }

  /** The same rail to a peer with an identity proved at this IP address, 4 or 16 bytes. */
  Rail provedAt(byte[] ipAddress) {
    byte[] bytes = address.bytes();
    boolean isThere =
        !address.family().equals(UDP)
            || bytes.length == ipAddress.length + PORT_BYTES
                && Arrays.equals(bytes, 0, ipAddress.length, ipAddress, 0, ipAddress.length);
    return new Rail(local, remote, address, isOneSided, isThere);
  }
}
