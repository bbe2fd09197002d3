package io.millrace.protocol.recovery;

import io.millrace.protocol.schedule.Jitter;

/**
 * Decides how long to wait for an acknowledgement before asking again.
 *
 * <p>The first interval is a multiple of the smoothed round trip plus the delay that the peer may
 * add. While nothing arrives the intervals grow by a factor up to a cap; any packet from the peer
 * brings the first interval back. Each interval is longer by a share that depends on the seed and
 * on the number of intervals, so that paths which fell silent together do not ask together. No
 * interval is shorter, because the peer may take its delay to the full.
 *
 * <p>Owned by a {@link PathRecovery}, on the worker's thread.
 */
public final class ProbeTimeout {
  private static final int JITTER_SHIFT = 10;
  private static final long MAX_BACKOFF = 1 << 20;

  private final ProbeTimeoutSettings settings;
  private final int maxJitter;
  private final Jitter draws;
  private long backoff = 1;
  private int expiriesInRow;
  private int jitter;

  /** Starts with the first interval. */
  public ProbeTimeout(ProbeTimeoutSettings settings) {
    this.settings = settings;
    maxJitter = (settings.jitterPercent() << JITTER_SHIFT) / 100;
    draws = new Jitter(settings.jitterSeed());
    onIntervalStarted();
  }

  /** The interval passed without a packet from the peer. */
  public void onExpiry(RttEstimator rtt) {
    expiriesInRow++;
    if (firstIntervalNs(rtt) * backoff < settings.capNs()) {
      backoff = Math.min(backoff * settings.backoffFactor(), MAX_BACKOFF);
    }
    onIntervalStarted();
  }

  /** Any packet from the peer arrived. */
  public void onPacketReceived() {
    if (expiriesInRow > 0) {
      expiriesInRow = 0;
      backoff = 1;
      onIntervalStarted();
    }
  }

  /** The interval that counts from the last packet that wanted an acknowledgement, ns. */
  public long intervalNs(RttEstimator rtt) {
    final long firstNs = firstIntervalNs(rtt);
    final long grownNs = Math.max(firstNs, Math.min(firstNs * backoff, settings.capNs()));
    return grownNs + ((grownNs * jitter) >> JITTER_SHIFT);
  }

  /** The first interval without jitter, ns. */
  public long firstIntervalNs(RttEstimator rtt) {
    return rtt.smoothedNs() * settings.rttMultiplier() + rtt.maxAckDelayNs();
  }

  /** Intervals that passed since the last packet from the peer. */
  public int expiriesInRow() {
    return expiriesInRow;
  }

  private void onIntervalStarted() {
    jitter = (int) draws.upTo(maxJitter);
  }
}
