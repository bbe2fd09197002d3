package io.millrace.testkit.sim;

/**
 * The settings of all links and interfaces without settings of their own.
 *
 * @param link each link, in each direction
 * @param nic each interface
 * @param receiveRingBytes most bytes that an endpoint holds until the next poll; endpoints may ask
 *     for less. A datagram takes its length, and 256 bytes at least
 * @param reportsUnreachable whether a sender is told (ICMP) when nobody listens at the destination
 */
public record NetworkSettings(
    LinkSettings link, NicSettings nic, int receiveRingBytes, boolean reportsUnreachable) {
  private static final int DEFAULT_RING_BYTES = 4 << 20;

  /** Nothing goes wrong, and everything arrives after a fixed time, ns. */
  public static NetworkSettings clean(long delayNs) {
    return new NetworkSettings(
        LinkSettings.clean(delayNs), NicSettings.UNLIMITED, DEFAULT_RING_BYTES, true);
  }

  /** These settings with other links. */
  public NetworkSettings withLink(LinkSettings other) {
    return new NetworkSettings(other, nic, receiveRingBytes, reportsUnreachable);
  }

  /** These settings with other interfaces. */
  public NetworkSettings withNic(NicSettings other) {
    return new NetworkSettings(link, other, receiveRingBytes, reportsUnreachable);
  }
}
