package io.millrace.protocol.congestion;

/**
 * Decides how many bytes may be granted now so that grants keep to a rate: a leaky bucket that is
 * kept as the time at which the next grant is due. What was not granted while nobody asked is not
 * made up for; one step may be granted at once. Owned by a worker, on its thread. Time is passed
 * in; does not allocate.
 */
public final class GrantPacer {
  private static final double NANOS_PER_SECOND = 1e9;

  private final long bytesPerSecond;
  private final long stepBytes;
  private long nextNs = Long.MIN_VALUE;

  /**
   * A pacer that has granted nothing.
   *
   * @param bytesPerSecond the rate; 0 is none, and then nothing is held back
   * @param stepBytes what may be granted at once
   */
  public GrantPacer(long bytesPerSecond, long stepBytes) {
    this.bytesPerSecond = bytesPerSecond;
    this.stepBytes = stepBytes;
  }

  /** Whether there is a rate. */
  public boolean isOn() {
    return bytesPerSecond > 0;
  }

  /** Bytes that may be granted now; {@link Long#MAX_VALUE} without a rate. */
  public long roomBytes(long nowNs) {
    if (bytesPerSecond == 0) {
      return Long.MAX_VALUE;
    }
    return nowNs >= nextNs ? stepBytes : 0;
  }

  /** So many bytes were granted. */
  public void onGranted(long bytes, long nowNs) {
    if (bytesPerSecond > 0 && bytes > 0) {
      nextNs = Math.max(nextNs, nowNs) + (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
    }
  }

  /** When something may be granted again, ns; it may be in the past. */
  public long nextNs() {
    return nextNs;
  }
}
