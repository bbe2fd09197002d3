package io.millrace.protocol.recovery;

/**
 * The conditions for declaring a packet lost.
 *
 * @param packetThreshold the distance at which an acknowledged packet makes an earlier packet lost,
 *     in packets, 1 or more; 3 where packets may overtake each other, 1 where packets cannot
 * @param timeThresholdEighths for how many eighths of a round trip a packet may stay behind an
 *     acknowledged packet, 8 or more; 9 means 9/8
 * @param granularityNs the least time that a packet may stay behind, ns
 */
public record LossSettings(int packetThreshold, int timeThresholdEighths, long granularityNs) {
  /** The recommendation of RFC 9002, with the wheel's tick as the granularity. */
  public static final LossSettings DEFAULT = new LossSettings(3, 9, 1L << 15);

  /** For a path on which packets cannot overtake each other: the first overtaken packet is lost. */
  public static final LossSettings IN_ORDER = new LossSettings(1, 9, 1L << 15);

  /** Checks the values. */
  public LossSettings {
    if (packetThreshold < 1) {
      throw new IllegalArgumentException("packetThreshold must be 1 or more: " + packetThreshold);
    }
    if (timeThresholdEighths < 8 || timeThresholdEighths > 1024) {
      throw new IllegalArgumentException(
          "timeThresholdEighths must be in 8..1024: " + timeThresholdEighths);
    }
    if (granularityNs < 1) {
      throw new IllegalArgumentException("granularityNs must be positive: " + granularityNs);
    }
  }
}
