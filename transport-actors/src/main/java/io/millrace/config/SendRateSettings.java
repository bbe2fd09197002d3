package io.millrace.config;

import java.util.function.Function;

/**
 * How fast the workers of a network interface send; 0 is no limit.
 *
 * @param bitsPerSecond all workers of the NIC together
 * @param flowBitsPerSecond from a source port of a worker to a peer
 * @param sourcePorts ports that each worker spreads bulk over
 */
public record SendRateSettings(long bitsPerSecond, long flowBitsPerSecond, int sourcePorts) {
  /** The lowest limit, bits per second. */
  public static final long LEAST_BITS_PER_SECOND = 1_000_000;

  /** The highest limit, bits per second. */
  public static final long MOST_BITS_PER_SECOND = 10_000_000_000_000L;

  private static final int MOST_SOURCE_PORTS = 64;

  /**
   * The settings with the key {@code send-rate} read from an entry that has the key, and the rest
   * from the block.
   */
  static SendRateSettings from(Function<String, Section> holder, Section nic) {
    return new SendRateSettings(
        holder
            .apply("send-rate")
            .bitsPerSecond("send-rate", LEAST_BITS_PER_SECOND, MOST_BITS_PER_SECOND),
        nic.bitsPerSecond("flow-rate", LEAST_BITS_PER_SECOND, MOST_BITS_PER_SECOND),
        nic.integer("source-ports", 1, MOST_SOURCE_PORTS));
  }
}
