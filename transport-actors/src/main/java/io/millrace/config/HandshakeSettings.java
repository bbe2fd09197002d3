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
  private static final String LISTEN = "listen";
  private static final String PSK = "psk";
  private static final int MIN_PSK_BYTES = 32;

  static HandshakeSettings from(Section section) {
    return new HandshakeSettings(
        Addresses.parse(section.key(LISTEN), section.string(LISTEN)),
        advertised(section),
        section.string("provider"),
        psk(section.key(PSK), section.string(PSK)),
        section.nanos("timeout", 1_000_000L, 600_000_000_000L));
  }

  /** In numbers, as peers know it: they ask no name service about what others call themselves. */
  private static String advertised(Section section) {
    String text = section.string("advertised");
    return text.isEmpty()
        ? text
        : Addresses.format(Addresses.parse(section.key("advertised"), text));
  }

  HandshakeSettings withListen(String address) {
    return new HandshakeSettings(
        Addresses.parse(key(LISTEN), address), advertised, provider, psk, timeoutNs);
  }

  HandshakeSettings withPsk(String hex) {
    return new HandshakeSettings(listen, advertised, provider, psk(key(PSK), hex), timeoutNs);
  }

  private static String key(String name) {
    return TransportSettings.key("handshake", name);
  }

  private static byte[] psk(String key, String text) {
    byte[] psk;
    try {
      psk = HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      throw new SettingsException(key, "must be hexadecimal digits, two for each byte");
    }
    if (psk.length != 0 && psk.length < MIN_PSK_BYTES) {
      throw new SettingsException(
          key, "must have 64 hexadecimal digits (32 bytes) or more, not " + text.length());
    }
    return psk;
  }

  @Override
  public String toString() {
    return "HandshakeSettings[listen=" + listen + ", provider=" + provider + ", psk=(hidden)]";
  }
}
