package io.millrace.protocol.recovery;

/**
 * Estimates the round trip time of a path: RFC 9002 section 5.
 *
 * <p>Owned by a {@link PathRecovery}, on the worker's thread. All values are ns.
 */
public final class RttEstimator {
  private long maxAckDelayNs;
  private long latestNs;
  private long smoothedNs;
  private long variationNs;
  private long minNs;
  private boolean hasSample;

  /**
   * Starts from a guess.
   *
   * @param initialRttNs the round trip time until the first sample, from the handshake if known
   * @param maxAckDelayNs the longest that the peer may hold back an acknowledgement on purpose
   */
  public RttEstimator(long initialRttNs, long maxAckDelayNs) {
    if (initialRttNs <= 0) {
      throw new IllegalArgumentException("initialRttNs must be positive: " + initialRttNs);
    }
    this.maxAckDelayNs = maxAckDelayNs;
    latestNs = initialRttNs;
    smoothedNs = initialRttNs;
    variationNs = initialRttNs / 2;
    minNs = initialRttNs;
  }

  /**
   * Takes a sample: the largest packet of an acknowledgement was newly acknowledged.
   *
   * @param sampleNs from sending this packet to receiving the acknowledgement
   * @param ackDelayNs how long the peer held the acknowledgement back, by the peer's own account
   */
  public void onSample(long sampleNs, long ackDelayNs) {
    latestNs = Math.max(sampleNs, 1);
    if (!hasSample) {
      hasSample = true;
      minNs = latestNs;
      smoothedNs = latestNs;
      variationNs = latestNs / 2;
      return;
    }
    minNs = Math.min(minNs, latestNs);
    final long delayNs = Math.min(ackDelayNs, maxAckDelayNs);
    final long adjustedNs = latestNs >= minNs + delayNs ? latestNs - delayNs : latestNs;
    variationNs += (Math.abs(smoothedNs - adjustedNs) - variationNs) / 4;
    smoothedNs += (adjustedNs - smoothedNs) / 8;
    assert invariantsHold();
  }

  /** The path may have changed: the least round trip time starts anew from the latest sample. */
  public void onPersistentCongestion() {
    minNs = latestNs;
  }

  /** Whether there was a sample; until then every value comes from the initial guess. */
  public boolean hasSample() {
    return hasSample;
  }

  /** The last sample, including every delay. */
  public long latestNs() {
    return latestNs;
  }

  /** The moving average, without the delays that the peer owned up to. */
  public long smoothedNs() {
    return smoothedNs;
  }

  /** The mean deviation. */
  public long variationNs() {
    return variationNs;
  }

  /** The least sample. */
  public long minNs() {
    return minNs;
  }

  /** The peer may hold acknowledgements back for this long from now on. */
  void onMaxAckDelay(long delayNs) {
    maxAckDelayNs = delayNs;
  }

  /** The longest that the peer may hold back an acknowledgement on purpose. */
  public long maxAckDelayNs() {
    return maxAckDelayNs;
  }

  private boolean invariantsHold() {
    return minNs > 0 && minNs <= latestNs && smoothedNs > 0 && variationNs >= 0;
  }
}
