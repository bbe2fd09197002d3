package io.millrace.protocol.congestion;

/**
 * Decides whether the path delivers no more: three round trips, all without application limits, in
 * which faster sending did not bring a quarter more. draft-ietf-ccwg-bbr-06, "Exiting Acceleration
 * Based on Bandwidth Plateau". Owned by a {@link Bbr}.
 */
final class FullPipe {
  private static final int ROUNDS = 3;

  private long baselineBytesPerSecond;
  private int rounds;
  private boolean isNow;
  private boolean isReached;

  /** Begins to look anew, from this rate on. */
  void restart(long bytesPerSecond) {
    baselineBytesPerSecond = bytesPerSecond;
    rounds = 0;
    isNow = false;
  }

  /** A round trip ended with a sample that is not application-limited. */
  void onRound(long bytesPerSecond) {
    if (isNow) {
      return;
    }
    if (4 * bytesPerSecond >= 5 * baselineBytesPerSecond) {
      restart(bytesPerSecond);
      return;
    }
    rounds++;
    if (rounds >= ROUNDS) {
      declare();
    }
  }

  /** Losses show that the pipe is full. */
  void declare() {
    isNow = true;
    isReached = true;
  }

  /** The pipe was declared full for losses that were spurious. */
  void retract() {
    isReached = false;
  }

  /** Whether the pipe is full since the last restart. */
  boolean isNow() {
    return isNow;
  }

  /** Whether the pipe ever was full. */
  boolean isReached() {
    return isReached;
  }
}
