package io.millrace.protocol.recovery;

import io.millrace.protocol.congestion.CongestionController;
import io.millrace.transfer.CongestionState;
import java.util.ArrayList;
import java.util.List;

/** A window that never moves by itself, and a record of the controller's inputs. */
final class RecordingController implements CongestionController {
  final List<String> calls = new ArrayList<>();
  long latestRttNs;
  long windowBytes = Long.MAX_VALUE / 2;

  @Override
  public void onSent(long packetNumber, int bytes, long bytesInFlight, long nowNs) {
    calls.add("sent " + packetNumber + " in flight " + bytesInFlight);
  }

  @Override
  public void onAcked(long packetNumber, int bytes, long sentNs, long nowNs) {
    calls.add("acked " + packetNumber);
  }

  @Override
  public void onAckEnd(
      long priorBytesInFlight, long latestRttNs, long minRttNs, long smoothedRttNs, long nowNs) {
    calls.add("end " + priorBytesInFlight);
    this.latestRttNs = latestRttNs;
  }

  @Override
  public void onLost(long packetNumber, int bytes, long sentNs, long nowNs) {
    calls.add("lost " + packetNumber);
  }

  @Override
  public void onDiscarded(long packetNumber, int bytes) {
    calls.add("discarded " + packetNumber);
  }

  @Override
  public void onSpuriousLoss(long packetNumber, long nowNs) {
    calls.add("spurious " + packetNumber);
  }

  @Override
  public void onApplicationLimited(long bytesInFlight) {
    calls.add("limited at " + bytesInFlight);
  }

  @Override
  public void onEcnCe(int newMarks, long sentNs, long nowNs) {
    calls.add("marks " + newMarks + " sent " + sentNs);
  }

  @Override
  public void onPersistentCongestion(long nowNs) {
    calls.add("persistent");
  }

  @Override
  public CongestionState congestionState() {
    return CongestionState.SLOW_START;
  }

  @Override
  public long windowBytes() {
    return windowBytes;
  }

  @Override
  public long pacingRateBytesPerSecond() {
    return 0;
  }
}
