package io.millrace.protocol.congestion;

import io.millrace.transfer.CongestionState;

/**
 * No congestion control: the controller of a path whose driver is a fabric. The fabric itself slows
 * a sender down, repeats lost packets and spreads packets over its ways; a second window on top of
 * the fabric's window takes bandwidth and gives nothing. The window is the largest of the other
 * controllers at all times; credit, grants and the record of sent packets bound the bytes in flight
 * more tightly. Has no state.
 */
public final class Uncontrolled implements CongestionController {
  @Override
  public void onSent(long packetNumber, int bytes, long bytesInFlight, long nowNs) {}

  @Override
  public void onAcked(long packetNumber, int bytes, long sentNs, long nowNs) {}

  @Override
  public void onAckEnd(
      long priorBytesInFlight, long latestRttNs, long minRttNs, long smoothedRttNs, long nowNs) {}

  @Override
  public void onLost(long packetNumber, int bytes, long sentNs, long nowNs) {}

  @Override
  public void onEcnCe(int newMarks, long sentNs, long nowNs) {}

  @Override
  public void onPersistentCongestion(long nowNs) {}

  @Override
  public CongestionState congestionState() {
    return CongestionState.AVOIDANCE;
  }

  @Override
  public long windowBytes() {
    return NewRenoSettings.DEFAULT_MAXIMUM_WINDOW_BYTES;
  }

  @Override
  public long pacingRateBytesPerSecond() {
    return 0;
  }
}
