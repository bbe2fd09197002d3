package io.millrace.config;

import java.util.function.Function;

/**
 * The link that leads to this node, as far as known: the link's rate, and the capacity of the queue
 * in front of the link before the queue drops.
 *
 * @param bitsPerSecond the link's rate; 0 if unknown
 * @param queueBytes the capacity of the queue
 * @param grantBitsPerSecond no more than this is granted to peers; 0 is without a bound
 */
public record LinkSettings(long bitsPerSecond, long queueBytes, long grantBitsPerSecond) {
  /** Nobody believes in a queue that takes longer to drain, us. */
  public static final int LONGEST_QUEUE_US = 1_000_000;

  private static final long LEAST = SendRateSettings.LEAST_BITS_PER_SECOND;
  private static final long MOST = SendRateSettings.MOST_BITS_PER_SECOND;

  /** The settings with each key read from the section that {@code holder} gives for the key. */
  static LinkSettings from(Function<String, Section> holder) {
    return new LinkSettings(
        holder.apply("bandwidth").bitsPerSecond("bandwidth", LEAST, MOST),
        holder.apply("queue").longBytes("queue", 1 << 10, 1L << 40),
        holder.apply("receive-rate").bitsPerSecond("receive-rate", LEAST, MOST));
  }

  /** Whether the bandwidth is known. */
  public boolean isKnown() {
    return bitsPerSecond > 0;
  }

  /**
   * The part of each of {@code workers} workers in the link, bytes per second; 0 if the rate is
   * unknown.
   */
  public long bytesPerSecond(int workers) {
    return bitsPerSecond / Byte.SIZE / workers;
  }

  /**
   * The time in which a full queue drains, as told to peers, us; 0 if the bandwidth is not known,
   * and {@value #LONGEST_QUEUE_US} at most.
   */
  public int queueUs() {
    return isKnown()
        ? (int) Math.min(queueBytes * Byte.SIZE * 1e6 / bitsPerSecond, LONGEST_QUEUE_US)
        : 0;
  }
}
