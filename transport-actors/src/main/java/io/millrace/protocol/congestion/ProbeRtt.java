package io.millrace.protocol.congestion;

/**
 * The progress of {@link BbrState#PROBE_RTT}: the state waits until no more than its window is in
 * flight, and from then on for 200 ms and a round trip. Owned by a {@link Bbr}; times are passed
 * in.
 */
final class ProbeRtt {
  static final long DURATION_NS = 200_000_000L;

  private long windowBytes;
  private long doneNs;
  private boolean isDraining;
  private boolean isRoundOver;
  private boolean isSkipped;

  /** Whether the state need not begin: the path was idle, and so the path was empty. */
  boolean isSkipped() {
    return isSkipped;
  }

  /** Sets whether the state is skipped. */
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

  /** Whether the state took long enough. */
  boolean isDone(long nowNs) {
    return isRoundOver && isTimeOver(nowNs);
  }

  /** Whether the state took long enough without packets. */
  boolean isTimeOver(long nowNs) {
    return !isDraining && nowNs - doneNs > 0;
  }

  /** The most bytes that may be in flight in this state. */
  long windowBytes() {
    return windowBytes;
  }
}
