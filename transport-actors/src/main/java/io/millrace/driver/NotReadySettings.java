package io.millrace.driver;

/**
 * How a driver of reliable messages treats a receiver without a free receive buffer.
 *
 * @param deviceRetries repeats by the device itself before the device reports anything, where the
 *     device can do so: 0 to 6, and 7 for repeats without an end
 * @param firstWaitNs the shortest first wait before a further repeat
 * @param longestWaitNs the limit of the waits, which double
 */
public record NotReadySettings(int deviceRetries, long firstWaitNs, long longestWaitNs) {
  /** Repeats without an end. */
  public static final int RETRIES_FOR_EVER = 7;

  /** The defaults of libfabric's EFA provider. */
  public static final NotReadySettings DEFAULTS = new NotReadySettings(3, 50_000L, 1_000_000_000L);

  /** Checks the bounds. */
  public NotReadySettings {
    if (deviceRetries < 0 || deviceRetries > RETRIES_FOR_EVER) {
      throw new IllegalArgumentException("retries of the device: " + deviceRetries);
    }
    if (firstWaitNs < 1 || longestWaitNs < firstWaitNs) {
      throw new IllegalArgumentException("waits: " + firstWaitNs + " to " + longestWaitNs + " ns");
    }
  }
}
