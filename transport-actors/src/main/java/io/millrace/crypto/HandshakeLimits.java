package io.millrace.crypto;

/**
 * How many handshakes strangers may begin in a second; as many may come at once after a pause.
 *
 * @param perPrefix from one prefix of source addresses, /24 of IPv4 and /56 of IPv6; positive
 * @param total from all prefixes; positive
 */
public record HandshakeLimits(int perPrefix, int total) {
  /** 500 from each prefix, 2,000 from all, as in {@code reference.conf}. */
  public static final HandshakeLimits DEFAULT = new HandshakeLimits(500, 2_000);

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a limit is not positive
   */
  public HandshakeLimits {
    if (perPrefix <= 0 || total <= 0) {
      throw new IllegalArgumentException(
          "limits of handshakes are positive, not " + perPrefix + " and " + total);
    }
  }
}
