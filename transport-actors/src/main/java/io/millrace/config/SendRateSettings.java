package io.millrace.config;

/**
 * How fast the workers of a network interface send; 0 is no limit.
 *
 * @param bitsPerSecond all workers together, with equal parts
 * @param flowBitsPerSecond from a source port of a worker to a peer
 * @param sourcePorts ports that each worker spreads bulk over
 */
public record SendRateSettings(long bitsPerSecond, long flowBitsPerSecond, int sourcePorts) {
  /** The lowest limit, bits per second. */
  public static final long LEAST_BITS_PER_SECOND = 1_000_000;

  /** The highest limit, bits per second. */
  public static final long MOST_BITS_PER_SECOND = 10_000_000_000_000L;

  private static final int MOST_SOURCE_PORTS = 64;

  static SendRateSettings from(Section nic) {
    return new SendRateSettings(
        nic.bitsPerSecond("send-rate", LEAST_BITS_PER_SECOND, MOST_BITS_PER_SECOND),
        nic.bitsPerSecond("flow-rate", LEAST_BITS_PER_SECOND, MOST_BITS_PER_SECOND),
        nic.integer("source-ports", 1, MOST_SOURCE_PORTS));
  }
}
