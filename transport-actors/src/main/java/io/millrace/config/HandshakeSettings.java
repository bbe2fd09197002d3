package io.millrace.config;

import io.millrace.access.AccessRules;
import java.net.InetSocketAddress;
import java.util.HexFormat;

/**
 * The handshake: the single address that peers and applications know.
 *
 * @param listen where this node listens for handshakes; port 0 lets the system choose
 * @param advertised the address of this node that peers are told, host:port, numeric; empty for
 *     {@code listen}
 * @param provider the provider that authenticates: {@code tls}, {@code quic}, {@code psk} or
 *     another installed provider
 * @param tls certificates, of {@code tls} and {@code quic}
 * @param psk the pre-shared key, 32 bytes or more; empty when none was configured
 * @param timeoutNs an attempt that has not succeeded by then has failed, ns
 * @param renewEveryNs a path that lasts so long gets a new secret, ns; 0 is never
 * @param keyLog the file for path secrets; empty for none
 * @param limits how many handshakes strangers may begin
 * @param access the peers that may connect, and the routes that these peers may call
 */
public record HandshakeSettings(
    InetSocketAddress listen,
    String advertised,
    String provider,
    TlsSettings tls,
    byte[] psk,
    long timeoutNs,
    long renewEveryNs,
    String keyLog,
    HandshakeLimitSettings limits,
    AccessRules access) {
  private static final String LISTEN = "listen";
  private static final String PSK = "psk";
  private static final String TLS = "tls";
  private static final int MIN_PSK_BYTES = 32;

  static HandshakeSettings from(Section section, Section access) {
    return new HandshakeSettings(
        Addresses.parse(section.key(LISTEN), section.string(LISTEN)),
        advertised(section),
        provider(section),
        TlsSettings.from(
            section.child(TLS), section.choice("post-quantum", TlsSettings.PostQuantumUse.class)),
        psk(section.key(PSK), section.string(PSK)),
        section.nanos("timeout", 1_000_000L, 600_000_000_000L),
        section.nanos("renew-every", 0, Long.MAX_VALUE / 4),
        section.string("key-log"),
        HandshakeLimitSettings.from(section.child("limits")),
        AccessSettings.from(access));
  }

  private static String provider(Section section) {
    String name = section.string("provider");
    if (name.isBlank()) {
      throw new SettingsException(section.key("provider"), "must be a name such as tls, not empty");
    }
    return name;
  }

  /**
   * In numbers, as peers know the address: peers ask no name service about a node's advertised
   * address.
   */
  private static String advertised(Section section) {
    String text = section.string("advertised");
    return text.isEmpty()
        ? text
        : Addresses.format(Addresses.parse(section.key("advertised"), text));
  }

  HandshakeSettings withListen(String address) {
    return new HandshakeSettings(
        Addresses.parse(key(LISTEN), address),
        advertised,
        provider,
        tls,
        psk,
        timeoutNs,
        renewEveryNs,
        keyLog,
        limits,
        access);
  }

  HandshakeSettings withPsk(String hex) {
    return new HandshakeSettings(
        listen,
        advertised,
        PSK,
        tls,
        psk(key(PSK), hex),
        timeoutNs,
        renewEveryNs,
        keyLog,
        limits,
        access);
  }

  HandshakeSettings withTls(String authorities, String certificate, String privateKey) {
    TlsSettings files = tls.withFiles(authorities, certificate, privateKey);
    return new HandshakeSettings(
        listen, advertised, TLS, files, psk, timeoutNs, renewEveryNs, keyLog, limits, access);
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
