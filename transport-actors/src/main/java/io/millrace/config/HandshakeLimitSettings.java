package io.millrace.config;

/**
 * How many handshakes strangers may begin in a second; as many may come at once after a pause.
 *
 * @param perPrefix from one prefix of source addresses, /24 of IPv4 and /56 of IPv6
 * @param total from all prefixes together
 */
public record HandshakeLimitSettings(int perPrefix, int total) {
  private static final int MOST = 1_000_000;

  static HandshakeLimitSettings from(Section section) {
    return new HandshakeLimitSettings(
        section.integer("per-prefix", 1, MOST), section.integer("total", 1, MOST));
  }
}
