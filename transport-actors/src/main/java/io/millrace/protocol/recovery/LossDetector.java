package io.millrace.protocol.recovery;

/**
 * Decides whether a packet that stayed behind an acknowledged packet is lost; rule R-2, RFC 9002
 * section 6.1.
 *
 * <p>Owned by a {@link PathRecovery}, on the worker's thread. A pass starts with {@link #onPass}
 * and asks {@link #isLost} for the packets below the largest acknowledged packet, oldest first, up
 * to the first packet that is not lost. Packets are sent in the order of their numbers, so later
 * packets are not lost either.
 */
public final class LossDetector {
  private final LossSettings settings;
  private long largestAcked = -1;
  private long lossDelayNs;
  private long nowNs;
  private long lossDeadlineNs = Long.MAX_VALUE;

  /** Makes a detector without any observation. */
  public LossDetector(LossSettings settings) {
    this.settings = settings;
  }

  /**
   * Starts a pass over the outstanding packets; no packet is known to become lost until the pass
   * asks.
   */
  public void onPass(long largestAcked, RttEstimator rtt, long nowNs) {
    this.largestAcked = largestAcked;
    this.nowNs = nowNs;
    lossDelayNs = lossDelayNs(rtt);
    lossDeadlineNs = Long.MAX_VALUE;
  }

  /**
   * Whether this outstanding packet is lost by now; if not, the time of its loss enters the
   * deadline.
   */
  public boolean isLost(long packetNumber, long sentNs) {
    assert packetNumber < largestAcked;
    if (largestAcked - packetNumber >= settings.packetThreshold()
        || nowNs - sentNs >= lossDelayNs) {
      return true;
    }
    lossDeadlineNs = Math.min(lossDeadlineNs, sentNs + lossDelayNs);
    return false;
  }

  /** When the first packet of the last pass that was not lost will be, if nothing arrives, ns. */
  public long lossDeadlineNs() {
    return lossDeadlineNs;
  }

  /** The time for which a packet may stay behind an acknowledged packet, ns. */
  public long lossDelayNs(RttEstimator rtt) {
    final long rttNs = Math.max(rtt.latestNs(), rtt.smoothedNs());
    return Math.max(rttNs * settings.timeThresholdEighths() / 8, settings.granularityNs());
  }
}
