package io.millrace.handshake.psk;

import io.millrace.crypto.DatagramHandshake;

/**
 * The waiting times of the exchange; ns, all positive.
 *
 * @param initialRttNs the round trip to assume; the first message is sent again after three round
 *     trips, then after twice as long each time, up to a second
 * @param timeoutNs after how long an initiator gives up
 * @param hintNs the time of giving up after an unauthenticated answer that gave a reason, if the
 *     timeout is not over before
 * @param lifetimeNs how long a responder remembers an exchange; longer than the timeout
 */
public record PskTimes(long initialRttNs, long timeoutNs, long hintNs, long lifetimeNs) {
  /** 10 ms, 5 s, 500 ms, 10 s. */
  public static final PskTimes DEFAULT = ofTimeout(5_000_000_000L);

  private static final long DEFAULT_RTT_NS = 10_000_000L;
  private static final int HINT_SHARE = 10;

  /** The first message is sent four more times in this time: a hint answers a damaged message. */
  private static final long MIN_HINT_NS = 500_000_000L;

  /**
   * Checks the times.
   *
   * @throws IllegalArgumentException if a time is not positive, or the lifetime not over the
   *     timeout
   */
  public PskTimes {
    if (initialRttNs <= 0 || timeoutNs <= 0 || hintNs <= 0 || lifetimeNs <= timeoutNs) {
      throw new IllegalArgumentException(
          "handshake times are positive, and exchanges outlive the timeout");
    }
  }

  /** The default proportions for another timeout; a hint does not shorten a short timeout. */
  public static PskTimes ofTimeout(long timeoutNs) {
    long hintNs = Math.max(MIN_HINT_NS, timeoutNs / HINT_SHARE);
    return new PskTimes(DEFAULT_RTT_NS, timeoutNs, hintNs, 2 * timeoutNs);
  }

  /** The earlier of two deadlines, each of which may be {@link DatagramHandshake#NO_DEADLINE}. */
  static long earlier(long oneNs, long otherNs) {
    if (oneNs == DatagramHandshake.NO_DEADLINE || otherNs == DatagramHandshake.NO_DEADLINE) {
      return oneNs == DatagramHandshake.NO_DEADLINE ? otherNs : oneNs;
    }
    return oneNs - otherNs < 0 ? oneNs : otherNs;
  }
}
