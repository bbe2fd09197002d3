package io.millrace.protocol.congestion;

/**
 * Bounds from losses outside of probes, in force until the next probe: a bound on the rate and a
 * bound on the bytes in flight. Each round trip with losses or marks lowers the bounds once, to the
 * delivery of this round trip and by no more than 30 %. Owned by a {@link Bbr}.
 */
final class ShortTermBounds {
  /** No bound. */
  static final long NONE = Long.MAX_VALUE;

  private static final double BETA = 0.7;

  private long bytesPerSecond = NONE;
  private long inFlightBytes = NONE;

  // The largest delivery of the round trip at hand.
  private long latestBytesPerSecond;
  private long latestBytes;

  private long roundEndDeliveredBytes;
  private boolean isRoundStart;
  private boolean hasLoss;

  /** Lost or marked packets of the round trip that do not lie side by side. */
  private int lossRanges;

  /** A packet was lost or marked. */
  void onLoss(long deliveredBytes, int ranges) {
    if (!hasLoss) {
      roundEndDeliveredBytes = deliveredBytes;
    }
    hasLoss = true;
    lossRanges += ranges;
  }

  /** A frame is looked at. */
  void onAck(DeliveryRate rate) {
    latestBytesPerSecond = Math.max(latestBytesPerSecond, rate.bytesPerSecond());
    latestBytes = Math.max(latestBytes, rate.sampleBytes());
    isRoundStart = rate.hasSample() && rate.priorDeliveredBytes() >= roundEndDeliveredBytes;
    if (isRoundStart) {
      roundEndDeliveredBytes = rate.deliveredBytes();
    }
  }

  /** The round trip had losses and is over: lowers the bounds, which begin at these. */
  void lower(long maxBytesPerSecond, long windowBytes) {
    bytesPerSecond =
        lowered(bytesPerSecond == NONE ? maxBytesPerSecond : bytesPerSecond, latestBytesPerSecond);
    inFlightBytes = lowered(inFlightBytes == NONE ? windowBytes : inFlightBytes, latestBytes);
  }

  private static long lowered(long bound, long latest) {
    return Math.max(latest, (long) (BETA * bound));
  }

  /** The frame has been looked at. */
  void onAckEnd(DeliveryRate rate) {
    if (isRoundStart) {
      latestBytesPerSecond = rate.bytesPerSecond();
      latestBytes = rate.sampleBytes();
      hasLoss = false;
      lossRanges = 0;
    }
  }

  /** Observations so far say nothing about the future. */
  void forgetRound() {
    hasLoss = false;
    lossRanges = 0;
    latestBytesPerSecond = 0;
    latestBytes = 0;
  }

  /** The losses of this round trip were spurious. */
  void forgetLosses() {
    hasLoss = false;
    lossRanges = 0;
  }

  /** Removes the bounds. */
  void clear() {
    bytesPerSecond = NONE;
    inFlightBytes = NONE;
  }

  /** Raises the bounds to at least these values. */
  void raiseTo(long otherBytesPerSecond, long otherInFlightBytes) {
    bytesPerSecond = Math.max(bytesPerSecond, otherBytesPerSecond);
    inFlightBytes = Math.max(inFlightBytes, otherInFlightBytes);
  }

  /** Whether the frame at hand ended a round trip with losses. */
  boolean isLossRoundOver() {
    return isRoundStart && hasLoss;
  }

  /** How many stretches of packets were lost in this round trip. */
  int lossRanges() {
    return lossRanges;
  }

  /** The most bytes that the round trip delivered. */
  long latestBytes() {
    return latestBytes;
  }

  /** The bound on the rate, or {@link #NONE}. */
  long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** The bound on the bytes in flight, or {@link #NONE}. */
  long inFlightBytes() {
    return inFlightBytes;
  }
}
