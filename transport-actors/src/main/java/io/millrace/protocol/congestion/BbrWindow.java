package io.millrace.protocol.congestion;

/**
 * The congestion window of a {@link Bbr}, bytes, and the last one that neither losses nor {@link
 * BbrState#PROBE_RTT} lowered: draft-ietf-ccwg-bbr-06, "Modulating cwnd in Loss Recovery".
 */
final class BbrWindow {
  private long bytes;
  private long savedBytes;

  /** The last round trip with a full window. */
  private long fullRound = -1;

  /** Starts with this window. */
  BbrWindow(long initialBytes) {
    bytes = initialBytes;
  }

  /** The window. */
  long bytes() {
    return bytes;
  }

  /** Sets the window. */
  void set(long newBytes) {
    bytes = newBytes;
  }

  /** Another datagram would bring the bytes in flight to this number. */
  void onSent(long nextBytesInFlight, long round) {
    if (nextBytesInFlight > bytes) {
      fullRound = round;
    }
  }

  /** Whether the window was full in this round trip or later. */
  boolean wasFullSince(long round) {
    return fullRound >= round;
  }

  /** The window is about to be lowered; again, if the window is low already. */
  void save(boolean isLow) {
    savedBytes = isLow ? Math.max(savedBytes, bytes) : bytes;
  }

  /** The reason for the lower window is gone. */
  void restore() {
    bytes = Math.max(bytes, savedBytes);
  }
}
