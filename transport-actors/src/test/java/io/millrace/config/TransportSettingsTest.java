package io.millrace.config;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        CongestionControllerKind.AUTO, TransportSettings.defaults().recovery().controller());
    String bbr = "millrace.congestion.controller = bbr";
    assertEquals(
        CongestionControllerKind.BBR, TransportSettings.parse(bbr).recovery().controller());
    SettingsException refused =
        assertThrows(
            SettingsException.class,
            () -> TransportSettings.parse("millrace.congestion.controller = cubic"));
    assertEquals(
        "configuration key 'millrace.congestion.controller' must be one of AUTO, NEW_RENO,"
            + " NEW_RENO_PACED, BBR, not 'cubic'",
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

  @ParameterizedTest
  @CsvSource({
    "shared, 500, 2500, 5000, 15000",
    "dedicated, 100, 150, 750, 5000",
    "container, 1000, 4000, 9000, 30000",
    "WAN, 1000, 4000, 14000, 15000"
  })
  void shouldHaveThePatienceOfItsProfile(
      String profile, long silenceMs, long periodMs, long failMs, long hangMs) {
    TransportSettings settings = TransportSettings.parse("millrace.profile = " + profile);
    SilenceSettings silence = settings.recovery().silence();
    assertEquals(
        List.of(silenceMs, periodMs, failMs, hangMs),
        Stream.of(
                silence.silenceNs(),
                silence.probePeriodNs(),
                silence.failAfterNs(),
                settings.workers().watch().hangAfterNs())
            .map(TimeUnit.NANOSECONDS::toMillis)
            .toList());
  }

  @Test
  void shouldProbeTwiceBeforeAShorterEndOfThePatience() {
    TransportSettings settings = TransportSettings.parse("millrace.recovery.fail-after = 2 s");
    assertEquals(1_000_000_000, settings.recovery().silence().probePeriodNs());
  }

  @Test
  void shouldBePatientUnlessTheProfileSaysOtherwise() {
    assertEquals(TransportSettings.parse("millrace.profile = shared"), TransportSettings.parse(""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shared", "dedicated", "container", "wan"})
  void shouldPreferAKeyToTheProfile(String profile) {
    SilenceSettings silence =
        TransportSettings.parse(
                "millrace { profile = %s, recovery.silence = 70 ms }".formatted(profile))
            .recovery()
            .silence();
    assertEquals(70_000_000, silence.silenceNs());
  }

  @Test
  void shouldNameTheProfilesIfThereIsNoSuchProfile() {
    SettingsException refused =
        assertThrows(
            SettingsException.class, () -> TransportSettings.parse("millrace.profile = cloud"));
    assertEquals(
        "configuration key 'millrace.profile' must be one of SHARED, DEDICATED, CONTAINER, WAN,"
            + " not 'cloud'",
        refused.getMessage());
  }

  @Test
  void shouldNameTheSettingAndNotItsProfileForAKeyWithASlip() {
    SettingsException refused =
        assertThrows(
            SettingsException.class,
            () -> TransportSettings.parse("millrace.recovery.probe-perid = 1 s"));
    assertTrue(
        String.valueOf(refused.getMessage())
            .endsWith("did you mean 'millrace.recovery.probe-period'?"),
        refused.getMessage());
  }

  @Test
  void shouldRaiseEachWeightToTheLeastPartOfTheRaisedSum() {
    List<Integer> weights = List.of(128, 64, 32, 16, 8, 4, 2, 1);
    SchedulerSettings scheduler = new SchedulerSettings(SchedulerPolicy.WEIGHTED, weights);
    for (int percent = 0; percent <= 12; percent++) {
      int[] raised = scheduler.weightsWith(percent);
      int sum = Arrays.stream(raised).sum();
      int leastWeight = Arrays.stream(raised).min().orElseThrow();
      assertTrue(leastWeight * 100 >= sum * percent, percent + " % of " + Arrays.toString(raised));
      assertEquals(128, raised[0]);
    }
    assertEquals(1, scheduler.weightsWith(0)[7]);
  }
}
