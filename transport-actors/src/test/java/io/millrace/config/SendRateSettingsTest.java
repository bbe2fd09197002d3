package io.millrace.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SendRateSettingsTest {
  private static SendRateSettings parse(String nic) {
    return TransportSettings.parse("millrace.nic { " + nic + " }").nic().sendRate();
  }

  @Test
  void shouldHaveNoLimitByDefault() {
    assertEquals(new SendRateSettings(0, 0, 1), parse(""));
  }

  @ParameterizedTest
  @CsvSource({
    "25 Gbit/s, 25000000000",
    "25Gbit/s, 25000000000",
    "2.5 Gbit/s, 2500000000",
    "400 Gbit/s, 400000000000",
    "10 Tbit/s, 10000000000000",
    "1000 kbit/s, 1000000",
    "1234567 bit/s, 1234567",
    "unlimited, 0",
    "0, 0"
  })
  void shouldReadRates(String text, long bitsPerSecond) {
    assertEquals(bitsPerSecond, parse("send-rate = " + text).bitsPerSecond());
    assertEquals(bitsPerSecond, parse("flow-rate = \"" + text + '"').flowBitsPerSecond());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"25", "25 GB/s", "25 Gbit", "-1 Mbit/s", "1.5 bit/s", "fast", "1e9 bit/s", "\"\""})
  void shouldRefuseWhatIsNoRate(String text) {
    SettingsException refused =
        assertThrows(SettingsException.class, () -> parse("send-rate = " + text));
    assertEquals(
        "configuration key 'millrace.nic.send-rate' must be a rate such as 25 Gbit/s, or unlimited,"
            + " not '"
            + text.replace("\"", "")
            + "'",
        refused.getMessage());
  }

  @Test
  void shouldRefuseRatesAndPortsOutOfRange() {
    assertEquals(
        "configuration key 'millrace.nic.flow-rate' must be from 1 Mbit/s to 10 Tbit/s, not 999"
            + " kbit/s",
        assertThrows(SettingsException.class, () -> parse("flow-rate = 999 kbit/s")).getMessage());
    assertThrows(SettingsException.class, () -> parse("send-rate = 11 Tbit/s"));
    assertThrows(SettingsException.class, () -> parse("source-ports = 0"));
    assertThrows(SettingsException.class, () -> parse("source-ports = 65"));
  }
}
