package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoopSettingsTest {
  private static final Config DEFAULTS =
      ConfigFactory.parseResources("reference.conf")
          .getConfig(WorkerDispatchers.BASE_PATH)
          .withFallback(ConfigFactory.parseString("id = w"));

  @Test
  void shouldReadDefaults() {
    assertEquals(
        new LoopSettings(
            "w",
            IdleKind.BACKOFF,
            LoopSettings.ANY_CORE,
            new LoopLimits(65_536, 32),
            new LoopSettings.Backoff(100, 20, 1_000, 1_000_000, 10_000_000_000L)),
        LoopSettings.of(DEFAULTS));
  }

  @ParameterizedTest
  @CsvSource({
    "idle-strategy, SLEEPY",
    "core, -2",
    "core, one",
    "task-queue-capacity, 1",
    "tasks-per-turn, 0",
    "backoff.spins, -1",
    "backoff.yields, -1",
    "backoff.min-park, 0s",
    "backoff.max-park, 1ns",
    "backoff.max-park, soon",
    "backoff.max-wait, 0s",
  })
  void shouldNameTheBadKey(String key, String value) {
    Config bad = ConfigFactory.parseString(key + " = " + value).withFallback(DEFAULTS);
    ConfigException refusal = assertThrows(ConfigException.class, () -> LoopSettings.of(bad));
    assertTrue(refusal.toString().contains(key), refusal.getMessage());
  }
}
