package io.millrace.config;

import java.math.BigDecimal;
import java.util.Locale;

/** Bits per second as one writes them: a number, and bit/s, kbit/s, Mbit/s, Gbit/s or Tbit/s. */
public final class BitRate {
  private static final String[] UNITS = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};
  private static final long STEP = 1_000;
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  private BitRate() {}

  /** The rate of a text, or -1 if it is none. Zero needs no unit. */
  public static long parse(String text) {
    String trimmed = text.strip();
    if (trimmed.equals("0")) {
      return 0;
    }
    String lower = trimmed.toLowerCase(Locale.ROOT);
    for (int unit = UNITS.length - 1; unit >= 0; unit--) {
      String suffix = UNITS[unit].toLowerCase(Locale.ROOT);
      if (lower.endsWith(suffix)) {
        return scaled(lower.substring(0, lower.length() - suffix.length()).strip(), unit);
      }
    }
    return -1;
  }

  private static long scaled(String number, int unit) {
    try {
      BigDecimal bits = new BigDecimal(number).scaleByPowerOfTen(3 * unit);
      return bits.signum() < 0 || bits.compareTo(MOST) > 0 ? -1 : bits.longValue();
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** The rate, exactly, in the largest unit of which it is a whole number. */
  public static String text(long bitsPerSecond) {
    long count = bitsPerSecond;
    int unit = 0;
    while (count != 0 && count % STEP == 0 && unit < UNITS.length - 1) {
      count /= STEP;
      unit++;
    }
    return count + " " + UNITS[unit];
  }
}
