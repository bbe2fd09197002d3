package io.millrace.protocol.congestion;

import io.millrace.transfer.CongestionState;

/**
 * The congestion controller of RFC 9002 section 7: slow start, congestion avoidance, one reduction
 * by half per round trip with losses or marks, and the minimum window on persistent congestion.
 *
 * <p>The window does not grow while the application leaves the window unused: less than half of the
 * window in slow start, or all but a train's worth otherwise. Does not allocate.
 *
 * <p>A paced controller spreads the window over the round trip (section 7.7) while the window
 * bounds the path: at twice the window's rate in slow start, because the window may double
 * meanwhile, and at 5/4 of this rate later, so that pacing leaves no part of the window unused. A
 * path that sent all its application had, and sends less than a window again, is not paced: a short
 * message takes no longer than without pacing.
 */
public final class NewReno implements CongestionController {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int QUARTERS_IN_SLOW_START = 8;
  private static final int QUARTERS_LATER = 5;

  private final NewRenoSettings settings;
  private int datagramBytes;
  private long windowBytes;
  private long slowStartLimitBytes = Long.MAX_VALUE;

  /** Packets sent up to here were sent before the last reduction. */
  private long recoveryStartNs = Long.MIN_VALUE;

  /** Whether no packet sent after the last reduction was acknowledged yet. */
  private boolean isRecovering;

  /** Bytes that the frame at hand acknowledged outside recovery. */
  private long ackedBytes;

  /** Bytes acknowledged towards the next datagram of growth in congestion avoidance. */
  private long growthBytes;

  private long pacingRateBytesPerSecond;

  /** Whether the window was in use, and the application has had more to send since. */
  private boolean isWindowBound;

  /** Starts in slow start with the initial window. */
  public NewReno(NewRenoSettings settings) {
    this.settings = settings;
    datagramBytes = settings.datagramBytes();
    windowBytes = settings.initialWindowBytes();
  }

  @Override
  public void onSent(long packetNumber, int bytes, long bytesInFlight, long nowNs) {
    // The window needs to know nothing about a packet before its fate is known.
  }

  @Override
  public void onAcked(long packetNumber, int bytes, long sentNs, long nowNs) {
    if (sentNs > recoveryStartNs) {
      isRecovering = false;
      ackedBytes += bytes;
    }
  }

  @Override
  public void onAckEnd(
      long priorBytesInFlight, long latestRttNs, long minRttNs, long smoothedRttNs, long nowNs) {
    if (ackedBytes > 0 && isWindowUsed(priorBytesInFlight)) {
      isWindowBound = true;
      grow();
    }
    ackedBytes = 0;
    if (settings.isPaced()) {
      final int quarters = isSlowStart() ? QUARTERS_IN_SLOW_START : QUARTERS_LATER;
      final double windowsPerSecond = (double) NANOS_PER_SECOND / smoothedRttNs;
      pacingRateBytesPerSecond = (long) (windowBytes * windowsPerSecond * quarters / 4);
    }
    assert invariantsHold();
  }

  @Override
  public void onLost(long packetNumber, int bytes, long sentNs, long nowNs) {
    reduce(sentNs, nowNs);
  }

  @Override
  public void onApplicationLimited(long bytesInFlight) {
    isWindowBound = false;
  }

  @Override
  public void onEcnCe(int newMarks, long sentNs, long nowNs) {
    reduce(sentNs, nowNs);
  }

  @Override
  public void onPersistentCongestion(long nowNs) {
    windowBytes = minimumBytes();
    recoveryStartNs = Long.MIN_VALUE;
    isRecovering = false;
    growthBytes = 0;
    assert invariantsHold();
  }

  @Override
  public void onDatagramBytes(int bytes) {
    datagramBytes = bytes;
    windowBytes = Math.clamp(windowBytes, minimumBytes(), maximumBytes());
    assert invariantsHold();
  }

  @Override
  public CongestionState congestionState() {
    if (isRecovering) {
      return CongestionState.RECOVERY;
    }
    return isSlowStart() ? CongestionState.SLOW_START : CongestionState.AVOIDANCE;
  }

  @Override
  public long windowBytes() {
    return windowBytes;
  }

  @Override
  public long pacingRateBytesPerSecond() {
    return isWindowBound ? pacingRateBytesPerSecond : 0;
  }

  /**
   * Whether the window has not been reduced yet, or has not grown back to the size of its
   * reduction.
   */
  public boolean isSlowStart() {
    return windowBytes < slowStartLimitBytes;
  }

  private boolean isWindowUsed(long priorBytesInFlight) {
    return isSlowStart()
        ? priorBytesInFlight >= windowBytes / 2
        : priorBytesInFlight >= windowBytes - slackBytes();
  }

  /** The bytes that may stay unused of a window in full use: a packet or train that did not fit. */
  private long slackBytes() {
    return Math.min(settings.slackBytes(), windowBytes / 2);
  }

  private long minimumBytes() {
    return NewRenoSettings.minimumWindowBytes(datagramBytes);
  }

  private long maximumBytes() {
    return Math.max(settings.maximumWindowBytes(), minimumBytes());
  }

  private void grow() {
    if (isSlowStart()) {
      windowBytes += ackedBytes;
    } else {
      growthBytes += ackedBytes;
      if (growthBytes >= windowBytes) {
        growthBytes -= windowBytes;
        windowBytes += datagramBytes;
      }
    }
    windowBytes = Math.min(windowBytes, maximumBytes());
  }

  private void reduce(long sentNs, long nowNs) {
    if (sentNs <= recoveryStartNs) {
      return;
    }
    recoveryStartNs = nowNs;
    isRecovering = true;
    slowStartLimitBytes = Math.max(windowBytes / 2, minimumBytes());
    windowBytes = slowStartLimitBytes;
    ackedBytes = 0;
    growthBytes = 0;
    assert invariantsHold();
  }

  private boolean invariantsHold() {
    return windowBytes >= minimumBytes()
        && windowBytes <= maximumBytes()
        && ackedBytes >= 0
        && growthBytes >= 0;
  }
}
