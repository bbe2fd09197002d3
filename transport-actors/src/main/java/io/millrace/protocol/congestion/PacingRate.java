package io.millrace.protocol.congestion;

/**
 * How fast packets may leave, bytes per second: the controller's rate, or more while a path that
 * was idle, or has little to send, stays within its allowed burst. Owned by a {@link Bbr}.
 */
final class PacingRate {
  private static final double NANOS_PER_SECOND = 1e9;

  /** The burst of a path that was idle leaves within this time. */
  private static final long BURST_NS = 100_000;

  private final long maxBurstBytes;
  private final long burstRate;
  private long rate;
  private long windowRate;
  private long burstBytes;

  /** With bursts of this number of bytes. */
  PacingRate(long maxBurstBytes) {
    this.maxBurstBytes = maxBurstBytes;
    burstRate = (long) (maxBurstBytes * NANOS_PER_SECOND / BURST_NS);
  }

  /** The rate at which a window leaves in a round trip, times the gain of Startup. */
  static long ofWindow(long windowBytes, long rttNs) {
    return (long) (BbrState.STARTUP.pacingGain() * windowBytes * NANOS_PER_SECOND / rttNs);
  }

  /** Sets the rate. */
  void set(long bytesPerSecond) {
    rate = bytesPerSecond;
  }

  /** Raises the rate to this value, if the rate is lower. */
  void raiseTo(long bytesPerSecond) {
    rate = Math.max(rate, bytesPerSecond);
  }

  /** The rate of a path in Startup that has little to send. */
  void setForLimited(long bytesPerSecond) {
    windowRate = bytesPerSecond;
  }

  /** The path was idle: a burst may leave. */
  void onIdle() {
    burstBytes = maxBurstBytes;
  }

  /** These bytes were sent. */
  void onSent(int bytes) {
    burstBytes = Math.max(burstBytes - bytes, 0);
  }

  /** Without bursts. */
  long bytesPerSecond() {
    return rate;
  }

  /** The rate including bursts. */
  long bytesPerSecond(boolean isIdle, boolean isLimitedStartup) {
    long least = 0;
    if (burstBytes > 0 || isIdle) {
      least = burstRate;
    } else if (isLimitedStartup) {
      least = windowRate;
    }
    return Math.max(rate, least);
  }
}
