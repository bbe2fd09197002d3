package io.millrace.config;

import java.net.InetSocketAddress;
import java.util.HexFormat;

/**
 * The handshake: the one address that peers and applications know.
 *
 * @param listen where this node listens for handshakes; port 0 lets the system choose
 * @param advertised what peers are told this node is called, host:port, numeric; empty for {@code
 *     listen}
 * @param provider which provider authenticates, {@code psk}
 * @param psk the pre-shared key, 32 bytes or more; empty when none was configured
 * @param timeoutNs an attempt that has not succeeded by then has failed, ns
 */
public record HandshakeSettings(
    InetSocketAddress listen, String advertised, String provider, byte[] psk, long timeoutNs) {
  private static final int MIN_PSK_BYTES = 32;

  static HandshakeSettings from(Section section) {
    return new HandshakeSettings(
        Addresses.parse(section.key("listen"), section.string("listen")),
        advertised(section),
        section.string("provider"),
        psk(section),
        section.nanos("timeout", 1_000_000L, 600_000_000_000L));
  }

  /** In numbers, as peers know it: they ask no name service about what others call themselves. */
  private static String advertised(Section section) {
    String text = section.string("advertised");
    return text.isEmpty()
        ? text
        : Addresses.format(Addresses.parse(section.key("advertised"), text));
  }

  private static byte[] psk(Section section) {
    String text = section.string("psk");
    byte[] psk;
    try {
      psk = HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      throw new SettingsException(section.key("psk"), "must be hexadecimal digits");
    }
    if (psk.length != 0 && psk.length < MIN_PSK_BYTES) {
      throw new SettingsException(
          section.key("psk"), "must have 32 bytes (64 hexadecimal digits) or more");
    }
    return psk;
  }

  @Override
  public String toString() {
    return "HandshakeSettings[listen=" + listen + ", provider=" + provider + ", psk=(hidden)]";
  }
}
