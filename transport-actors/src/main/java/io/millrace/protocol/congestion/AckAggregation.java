package io.millrace.protocol.congestion;

/**
 * How much more a path acknowledges at a time than the bandwidth explains, because packets or
 * acknowledgements travel in heaps: draft-ietf-ccwg-bbr-06, "BBR.extra_acked". The window grows by
 * this, so that the path stays full between heaps.
 *
 * <p>The maximum over the last 5 to 10 round trips, 1 to 2 until the path was once full. Owned by a
 * {@link Bbr}.
 */
final class AckAggregation {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int HALF_WINDOW_ROUNDS = 5;

  private long intervalStartNs;
  private long intervalBytes;
  private long formerBytes;
  private long presentBytes;
  private int rounds;

  /** Compares acknowledgements from now on with the expectation from the bandwidth. */
  void restart(long nowNs) {
    intervalStartNs = nowNs;
    intervalBytes = 0;
  }

  /** A round trip ended. */
  void onRound(boolean isFull) {
    rounds++;
    if (rounds >= (isFull ? HALF_WINDOW_ROUNDS : 1)) {
      rounds = 0;
      formerBytes = presentBytes;
      presentBytes = 0;
    }
  }

  /** A frame acknowledged this number of bytes. */
  void onAck(long ackedBytes, long bytesPerSecond, long windowBytes, long nowNs) {
    long expectedBytes = (long) (bytesPerSecond * ((nowNs - intervalStartNs) / NANOS_PER_SECOND));
    if (intervalBytes <= expectedBytes) {
      restart(nowNs);
      expectedBytes = 0;
    }
    intervalBytes += ackedBytes;
    final long extraBytes = Math.min(intervalBytes - expectedBytes, windowBytes);
    presentBytes = Math.max(presentBytes, extraBytes);
  }

  /** The bytes to add to the window. */
  long extraBytes() {
    return Math.max(formerBytes, presentBytes);
  }
}
