package io.millrace.testkit.sim;

/**
 * What holds until a link or an interface is given settings of its own.
 *
 * @param link each link, in each direction
 * @param nic each interface
 * @param receiveRingBytes what an endpoint holds until it is polled, at most; endpoints may ask for
 *     less. A datagram takes its length, and 256 bytes at least
 * @param reportsUnreachable whoever sends to where nobody listens is told (ICMP)
 */
public record NetworkSettings(
    LinkSettings link, NicSettings nic, int receiveRingBytes, boolean reportsUnreachable) {
  private static final int DEFAULT_RING_BYTES = 4 << 20;

  /** Nothing goes wrong, and everything arrives after a fixed time, ns. */
  public static NetworkSettings clean(long delayNs) {
    return new NetworkSettings(
        LinkSettings.clean(delayNs), NicSettings.UNLIMITED, DEFAULT_RING_BYTES, true);
  }

  /** The same with other links. */
  public NetworkSettings withLink(LinkSettings other) {
    return new NetworkSettings(other, nic, receiveRingBytes, reportsUnreachable);
  }

  /** The same with other interfaces. */
  public NetworkSettings withNic(NicSettings other) {
    return new NetworkSettings(link, other, receiveRingBytes, reportsUnreachable);
  }
}
