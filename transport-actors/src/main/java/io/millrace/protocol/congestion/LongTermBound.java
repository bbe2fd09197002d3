package io.millrace.protocol.congestion;

/**
 * The bytes that may be in flight before the path loses too much, as probes found out; no bound
 * before such a probe. {@link BbrState#UP} raises the bound by 1, 2, 4, ... datagrams a round trip.
 * draft-ietf-ccwg-bbr-06, "Accelerating to Probe for Bandwidth". Owned by a {@link Bbr}.
 */
final class LongTermBound {
  /** No bound. */
  static final long NONE = Long.MAX_VALUE;

  private static final double HEADROOM = 0.15;
  private static final int MAX_DOUBLINGS = 30;

  private long bytes = NONE;
  private int doublings;
  private long ackedBytes;
  private long ackedPerDatagram = NONE;

  /** The bound, or {@link #NONE}. */
  long bytes() {
    return bytes;
  }

  /** Sets the bound. */
  void set(long newBytes) {
    bytes = newBytes;
  }

  /** These bytes were in flight without harm. */
  void raiseTo(long otherBytes) {
    bytes = Math.max(bytes, otherBytes);
  }

  /** The bytes that may be in flight so that other flows find room. */
  long withHeadroom(int datagramBytes) {
    if (bytes == NONE) {
      return NONE;
    }
    final long headroom = Math.max(datagramBytes, (long) (HEADROOM * bytes));
    return Math.max(bytes - headroom, BbrSettings.minimumWindowBytes(datagramBytes));
  }

  /** The path is filled: the next steps are small. */
  void restartSteps() {
    doublings = 0;
    ackedBytes = 0;
  }

  /** The bound does not grow now. */
  void stopSteps() {
    ackedPerDatagram = NONE;
  }

  /** The steps of the round trip that begins are twice as large. */
  void doubleSteps(long windowBytes, int datagramBytes) {
    final long stepsThisRound = 1L << doublings;
    doublings = Math.min(doublings + 1, MAX_DOUBLINGS);
    ackedPerDatagram = Math.max(windowBytes / stepsThisRound, datagramBytes);
  }

  /** These bytes were acknowledged while the bound was reached. */
  void onAcked(long newlyAckedBytes, int datagramBytes) {
    ackedBytes += newlyAckedBytes;
    final long steps = ackedBytes / ackedPerDatagram;
    ackedBytes -= steps * ackedPerDatagram;
    bytes += steps * datagramBytes;
  }
}
