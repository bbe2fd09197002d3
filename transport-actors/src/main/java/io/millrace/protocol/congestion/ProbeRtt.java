package io.millrace.protocol.congestion;

/**
 * How far {@link BbrState#PROBE_RTT} is: it waits until no more than its window is in flight, and
 * from then on for 200 ms and a round trip. draft-ietf-ccwg-bbr-06, "ProbeRTT Logic". Owned by one
 * {@link Bbr}; times are passed in.
 */
final class ProbeRtt {
  static final long DURATION_NS = 200_000_000L;

  private long windowBytes;
  private long doneNs;
  private boolean isDraining;
  private boolean isRoundOver;
  private boolean isSkipped;

  /** Whether it need not begin: the path was idle, and so it was empty. */
  boolean isSkipped() {
    return isSkipped;
  }

  /** Sets that. */
  void skip(boolean isToBeSkipped) {
    isSkipped = isToBeSkipped;
  }

  /** Begins with a window, which stays. */
  void begin(long newWindowBytes) {
    windowBytes = newWindowBytes;
    isDraining = true;
    isRoundOver = false;
  }

  /** Whether this frame is the first with so little in flight. */
  boolean isDrainedBy(long inFlightBytes) {
    return isDraining && inFlightBytes <= windowBytes;
  }

  /** The path is empty enough. */
  void onDrained(long nowNs) {
    isDraining = false;
    isRoundOver = false;
    doneNs = nowNs + DURATION_NS;
  }

  /** A round trip ended. */
  void onRound() {
    isRoundOver = !isDraining;
  }

  /** Whether it took long enough. */
  boolean isDone(long nowNs) {
    return isRoundOver && isTimeOver(nowNs);
  }

  /** Whether it took long enough without packets. */
  boolean isTimeOver(long nowNs) {
    return !isDraining && nowNs - doneNs > 0;
  }

  /** The most that may be in flight meanwhile. */
  long windowBytes() {
    return windowBytes;
  }
}
