package io.millrace.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HoconTextTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 ns",
    "999999, 999999 ns",
    "1024, 1024 ns",
    "1000000, 1 ms",
    "500000000, 500 ms",
    "40000000, 40 ms",
    "90000000000, 90 s",
    "60000000000, 1 minute",
    "600000000000, 10 minutes",
    "10800000000000, 3 hours",
    "86400000000000, 1 day",
    "-5000000, -5 ms",
    "9223372036854775807, 9223372036854775807 ns"
  })
  void shouldWriteDurationsThatReadBack(long ns, String text) {
    assertEquals(text, HoconText.duration(ns));
    assertEquals(ns, parsed(text).getDuration("x").toNanos());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1200, 1200 B",
    "65507, 65507 B",
    "4096, 4 KiB",
    "73498624, 71776 KiB",
    "67108864, 64 MiB",
    "1073741824, 1 GiB",
    "1099511627776, 1 TiB",
    "1125899906842624, 1024 TiB"
  })
  void shouldWriteSizesThatReadBack(long bytes, String text) {
    assertEquals(text, HoconText.size(bytes));
    assertEquals(bytes, parsed(text).getBytes("x"));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1 bit/s",
    "999999, 999999 bit/s",
    "1000000, 1 Mbit/s",
    "2500000000, 2500 Mbit/s",
    "25000000000, 25 Gbit/s",
    "2000000000000000, 2000 Tbit/s"
  })
  void shouldWriteRatesThatReadBack(long bitsPerSecond, String text) {
    assertEquals(text, HoconText.rate(bitsPerSecond));
    assertEquals(bitsPerSecond, HoconText.bitsPerSecond(text));
  }

  private static Config parsed(String text) {
    return ConfigFactory.parseString("x = " + text);
  }
}
