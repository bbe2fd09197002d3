package io.millrace.udp.internal;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointSettings;
import java.util.List;

/**
 * The size limits of an endpoint's datagrams and trains.
 *
 * @param maxDatagramBytes bytes of a datagram
 * @param maxTrainPackets datagrams of a train
 * @param maxTrainBytes bytes of a train, and of a send buffer
 */
public record SendLimits(int maxDatagramBytes, int maxTrainPackets, int maxTrainBytes) {
  /** The largest payload of an IPv4 datagram, and thus of a train for the system to cut. */
  public static final int MAX_UDP_PAYLOAD_BYTES = 65_507;

  /** The number of datagrams in one call that every kernel with segmentation offload accepts. */
  public static final int MAX_TRAIN_PACKETS = 64;

  /**
   * Returns the limits for {@code settings}; adds a notice to {@code notices} for each reduced
   * value.
   *
   * @throws DriverException if a setting makes no sense
   */
  public static SendLimits of(EndpointSettings settings, List<String> notices)
      throws DriverException {
    requirePositive("maxDatagramBytes", settings.maxDatagramBytes());
    requirePositive("maxTrainPackets", settings.maxTrainPackets());
    requirePositive("sendBuffers", settings.sendBuffers());
    int datagram =
        cut("maxDatagramBytes", settings.maxDatagramBytes(), MAX_UDP_PAYLOAD_BYTES, notices);
    int packets = cut("maxTrainPackets", settings.maxTrainPackets(), MAX_TRAIN_PACKETS, notices);
    return new SendLimits(
        datagram, packets, (int) Math.min(MAX_UDP_PAYLOAD_BYTES, (long) datagram * packets));
  }

  /** Whether a train of {@code length} bytes in datagrams of {@code segmentLength} may be sent. */
  public boolean allows(int length, int segmentLength) {
    return segmentLength > 0
        && segmentLength <= maxDatagramBytes
        && length > 0
        && length <= maxTrainBytes
        && length <= (long) segmentLength * maxTrainPackets;
  }

  private static void requirePositive(String setting, int value) throws DriverException {
    if (value < 1) {
      throw new DriverException(setting + " is " + value + ", but must be 1 or more");
    }
  }

  private static int cut(String setting, int asked, int limit, List<String> notices) {
    if (asked <= limit) {
      return asked;
    }
    notices.add(setting + ": asked for " + asked + ", got " + limit);
    return limit;
  }
}
