package io.millrace.config;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransportSettingsTest {
  /** A key, the method that sets the key, and a text that both refuse. */
  record Setting(String key, Setter setter, String refused) {
    @Override
    public String toString() {
      return key + " = " + refused;
    }
  }

  /** Sets a key of some settings. */
  interface Setter {
    TransportSettings set(TransportSettings settings, String text);
  }

  static List<Setting> settings() {
    return List.of(
        new Setting("handshake.psk", TransportSettings::withPsk, "0011"),
        new Setting("handshake.psk", TransportSettings::withPsk, "secret"),
        new Setting("handshake.listen", TransportSettings::withHandshakeAddress, "localhost"),
        new Setting("handshake.listen", TransportSettings::withHandshakeAddress, "[::1]:70000"),
        new Setting("nic.address", TransportSettings::withAddress, "127.0.0.1:x"));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void shouldRefuseWhatTheKeyRefuses(Setting setting) {
    String hocon = "millrace." + setting.key() + " = \"" + setting.refused() + "\"";
    TransportSettings usual = TransportSettings.defaults();
    SettingsException ofTheKey =
        assertThrows(SettingsException.class, () -> TransportSettings.parse(hocon));
    SettingsException ofTheMethod =
        assertThrows(SettingsException.class, () -> setting.setter().set(usual, setting.refused()));
    assertEquals(ofTheKey.getMessage(), ofTheMethod.getMessage());
  }

  @Test
  void shouldSetWhatTheKeysSetAndNothingElse() {
    String psk = "0123456789abcdef".repeat(4);
    TransportSettings others =
        TransportSettings.parse(
            """
            millrace.handshake { advertised = "127.0.0.1:9", timeout = 3 s }
            millrace.nic.max-datagram = 1472
            millrace.workers.count = 3
            """);
    TransportSettings keys =
        TransportSettings.parse(
            """
            millrace.handshake { advertised = "127.0.0.1:9", timeout = 3 s, listen = "[::1]:7400" }
            millrace.handshake { psk = "%s", provider = psk }
            millrace.nic { max-datagram = 1472, address = "127.0.0.2:7401", driver = nio }
            millrace.workers.count = 3
            """
                .formatted(psk));

    TransportSettings set =
        others
            .withPsk(psk)
            .withHandshakeAddress("[::1]:7400")
            .withAddress("127.0.0.2:7401")
            .withDriver("nio");

    assertArrayEquals(keys.handshake().psk(), set.handshake().psk());
    assertEquals(keys.handshake().advertised(), set.handshake().advertised());
    assertEquals(keys.handshake().timeoutNs(), set.handshake().timeoutNs());
    assertEquals(keys.toString(), set.toString());
  }

  @Test
  void shouldChooseTheCongestionController() {
    assertEquals(
        CongestionControllerKind.NEW_RENO, TransportSettings.defaults().recovery().controller());
    String bbr = "millrace.congestion.controller = bbr";
    assertEquals(
        CongestionControllerKind.BBR, TransportSettings.parse(bbr).recovery().controller());
    SettingsException refused =
        assertThrows(
            SettingsException.class,
            () -> TransportSettings.parse("millrace.congestion.controller = cubic"));
    assertEquals(
        "configuration key 'millrace.congestion.controller' must be one of NEW_RENO, BBR, not"
            + " 'cubic'",
        refused.getMessage());
  }

  @Test
  void shouldHaveTlsAndNeitherKeyNorCertificatesByDefault() {
    HandshakeSettings handshake = TransportSettings.defaults().handshake();

    assertEquals("tls", handshake.provider());
    assertEquals(0, handshake.psk().length);
    assertFalse(handshake.tls().isConfigured());
  }

  @Test
  void shouldSetTheFilesAndTheProviderThatTakesThem() {
    HandshakeSettings set =
        TransportSettings.parse(
                """
                millrace.handshake { provider = psk, post-quantum = required }
                millrace.handshake.tls { revocations = r, peer-names = ["*.db.example.org"] }
                """)
            .withTls(Path.of("a"), Path.of("c"), Path.of("k"))
            .handshake();

    assertEquals("tls", set.provider());
    assertEquals(
        new TlsSettings(
            "a", "c", "k", "r", List.of("*.db.example.org"), TlsSettings.PostQuantumUse.REQUIRED),
        set.tls());
    assertEquals(
        TlsSettings.PostQuantumUse.ON,
        TransportSettings.defaults().handshake().tls().postQuantum());
  }
}
