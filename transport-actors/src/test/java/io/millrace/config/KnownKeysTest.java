package io.millrace.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownKeysTest {
  private static final String NOTHING_NEAR = "docs/configuration.md has all keys";

  private static String refusal(Config config) {
    SettingsException failure =
        assertThrows(SettingsException.class, () -> new KnownKeys("millrace").check(config));
    return String.valueOf(failure.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "millrace.workers.cuont, millrace.workers.count",
    "millrace.worker.count, millrace.workers.count",
    "millrace.psk, millrace.handshake.psk",
    "millrace.transfers.inline-budget, millrace.limits.inline-budget",
    "millrace.streams.windowbytes, millrace.streams.window-bytes",
    "millrace.tls.certificate, millrace.handshake.tls.certificate",
    "millrace.handshakes, millrace.handshake"
  })
  void shouldNameTheKeyThatIsNearest(String wrong, String meant) {
    assertEquals(
        "configuration key '" + wrong + "' is unknown; did you mean '" + meant + "'?",
        refusal(ConfigFactory.parseString(wrong + " = 1")));
  }

  @ParameterizedTest
  @CsvSource({"millrace.foo", "millrace.identity", "millrace.x"})
  void shouldNotGuessWhatIsNotNear(String wrong) {
    assertEquals(
        "configuration key '" + wrong + "' is unknown; " + NOTHING_NEAR,
        refusal(ConfigFactory.parseString(wrong + " = 1")));
  }

  @Test
  void shouldSayWhereItStands() {
    ConfigParseOptions options =
        ConfigParseOptions.defaults().setOriginDescription("application.conf");
    Config config = ConfigFactory.parseString("\n\nmillrace.foo = 1", options);

    assertEquals(
        "configuration key 'millrace.foo' is unknown (application.conf: 3); " + NOTHING_NEAR,
        refusal(config));
  }
}
