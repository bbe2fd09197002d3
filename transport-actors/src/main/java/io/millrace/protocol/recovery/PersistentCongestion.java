package io.millrace.protocol.recovery;

/**
 * Decides whether the packets lost in one pass span so long a time that the path must be taken as
 * congested throughout: RFC 9002 section 7.6. Owned by a {@link PathRecovery}.
 */
final class PersistentCongestion {
  /** How many first probe intervals the lost packets must span. */
  private static final int PROBE_INTERVALS = 3;

  private long durationNs;
  private long sampledFromNs;
  private long runStartNs;
  private long previousNumber;
  private boolean isEstablished;

  /**
   * Starts a pass.
   *
   * @param probeIntervalNs the first interval of the probe timeout
   * @param sampledFromNs the time of the first round trip's measurement; earlier packets do not
   *     count
   */
  void onPass(long probeIntervalNs, long sampledFromNs) {
    durationNs = probeIntervalNs * PROBE_INTERVALS;
    this.sampledFromNs = sampledFromNs;
    previousNumber = -1;
    isEstablished = false;
  }

  /** A packet was lost; numbers come in ascending order. A packet that was not lost ends a run. */
  void onLost(long packetNumber, long sentNs) {
    if (sentNs < sampledFromNs) {
      return;
    }
    if (previousNumber < 0 || packetNumber != previousNumber + 1) {
      runStartNs = sentNs;
    }
    previousNumber = packetNumber;
    isEstablished |= sentNs - runStartNs > durationNs;
  }

  boolean isEstablished() {
    return isEstablished;
  }
}
