package io.millrace.config;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes in the notation of a configuration, for messages to people. */
public final class HoconText {
  private static final String[] SIZE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final int SIZE_STEP = 1_024;

  /** The name of a unit, and the factor from this unit to the next. */
  private record TimeUnit(String name, long step) {}

  private static final TimeUnit[] TIME_UNITS = {
    new TimeUnit("ns", 1_000),
    new TimeUnit("us", 1_000),
    new TimeUnit("ms", 1_000),
    new TimeUnit("s", 60),
    new TimeUnit("minutes", 60),
    new TimeUnit("hours", 24),
    new TimeUnit("days", Long.MAX_VALUE)
  };

  private static final String[] RATE_UNITS = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};
  private static final int RATE_STEP = 1_000;
  private static final Pattern RATE =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{1,12})?) ?([kMGT]?bit/s)");

  private HoconText() {}

  /** Formats this many bits per second, exactly, in the largest unit that gives a whole number. */
  public static String rate(long bitsPerSecond) {
    long count = bitsPerSecond;
    int unit = 0;
    while (count != 0 && count % RATE_STEP == 0 && unit < RATE_UNITS.length - 1) {
      count /= RATE_STEP;
      unit++;
    }
    return count + " " + RATE_UNITS[unit];
  }

  /**
   * Bits per second as {@link #rate} writes them; a fraction is allowed.
   *
   * @throws NumberFormatException if the text is no rate, or not a whole number of bits
   */
  static long bitsPerSecond(String text) {
    Matcher matcher = RATE.matcher(text);
    if (!matcher.matches()) {
      throw new NumberFormatException(text);
    }
    BigDecimal bits = new BigDecimal(matcher.group(1));
    int unit = List.of(RATE_UNITS).indexOf(matcher.group(2));
    try {
      return bits.scaleByPowerOfTen(3 * unit).longValueExact();
    } catch (ArithmeticException e) {
      throw new NumberFormatException(text);
    }
  }

  /** Formats this many nanoseconds, exactly, in the largest unit that gives a whole number. */
  public static String duration(long ns) {
    long count = ns;
    int unit = 0;
    while (count != 0 && count % TIME_UNITS[unit].step() == 0) {
      count /= TIME_UNITS[unit].step();
      unit++;
    }
    String name = TIME_UNITS[unit].name();
    boolean isOne = count == 1 && name.length() > 2;
    return count + " " + (isOne ? name.substring(0, name.length() - 1) : name);
  }

  /** Formats this many bytes, exactly, in the largest unit that gives a whole number. */
  public static String size(long bytes) {
    long count = bytes;
    int unit = 0;
    while (count != 0 && count % SIZE_STEP == 0 && unit < SIZE_UNITS.length - 1) {
      count /= SIZE_STEP;
      unit++;
    }
    return count + " " + SIZE_UNITS[unit];
  }
}
