package io.millrace.protocol.congestion;

/**
 * The largest delivery of a path in this cycle of probing and the cycle before:
 * draft-ietf-ccwg-bbr-06, "BBR.max_bw Max Filter". Bytes per second. Owned by a {@link Bbr}.
 */
final class MaxBandwidth {
  private long former;
  private long present;

  /**
   * Takes a sample. An application-limited sample counts if the sample is above the known maximum.
   */
  void onSample(long bytesPerSecond, boolean isLimited) {
    if (bytesPerSecond > 0 && (bytesPerSecond >= value() || !isLimited)) {
      present = Math.max(present, bytesPerSecond);
    }
  }

  /** Another cycle begins. A cycle without samples does not count. */
  void advance() {
    if (present > 0) {
      former = present;
      present = 0;
    }
  }

  /** The maximum; 0 without samples. */
  long value() {
    return Math.max(former, present);
  }
}
