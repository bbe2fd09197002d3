package io.millrace.testkit.sim;

import io.millrace.testkit.internal.base.Checks;

/**
 * A bottleneck with a queue in front. Counts the bytes of datagrams, without headers.
 *
 * @param bytesPerSecond rate of the bottleneck; 0 is no bottleneck at all
 * @param queueBytes size of the queue, which drops datagrams that do not fit (at the tail)
 * @param markAboveBytes datagrams that find more bytes in the queue are marked CE if ECN-capable
 */
public record RateSettings(long bytesPerSecond, int queueBytes, int markAboveBytes) {
  /** No bottleneck. */
  public static final RateSettings UNLIMITED =
      new RateSettings(0, Integer.MAX_VALUE, Integer.MAX_VALUE);

  /** Checks that no number is negative. */
  public RateSettings {
    Checks.notNegative("a rate", bytesPerSecond);
    Checks.notNegative("a queue", Math.min(queueBytes, markAboveBytes));
  }

  /** A queue without marks. */
  public static RateSettings of(long bytesPerSecond, int queueBytes) {
    return new RateSettings(bytesPerSecond, queueBytes, Integer.MAX_VALUE);
  }
}
