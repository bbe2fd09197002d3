package io.millrace.samples.bench.burst.link;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rates and sizes in the notation of the command line. */
public final class Units {
  private static final Pattern QUANTITY = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([a-z]*)");
  private static final long KIBI = 1_024;
  private static final long KILO = 1_000;

  private Units() {}

  /**
   * Bits per second: {@code 100mbit}, {@code 1gbit}, {@code 500kbit}, {@code 9600bit}.
   *
   * @throws IllegalArgumentException if the text is no rate
   */
  public static long bitsPerSecond(String text) {
    Matcher parts = parts(text);
    long unit =
        switch (parts.group(2)) {
          case "bit" -> 1;
          case "kbit" -> KILO;
          case "mbit" -> KILO * KILO;
          case "gbit" -> KILO * KILO * KILO;
          default ->
              throw new IllegalArgumentException(text + " is no rate; an example is 100mbit");
        };
    return Math.round(Double.parseDouble(parts.group(1)) * unit);
  }

  /**
   * Bytes: {@code 65536}, {@code 64KiB}, {@code 1MiB}.
   *
   * @throws IllegalArgumentException if the text is no size
   */
  public static int bytes(String text) {
    Matcher parts = parts(text);
    long unit =
        switch (parts.group(2)) {
          case "", "b" -> 1;
          case "k", "kib" -> KIBI;
          case "m", "mib" -> KIBI * KIBI;
          default -> throw new IllegalArgumentException(text + " is no size; an example is 64KiB");
        };
    return Math.toIntExact(Math.round(Double.parseDouble(parts.group(1)) * unit));
  }

  private static Matcher parts(String text) {
    Matcher parts = QUANTITY.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      throw new IllegalArgumentException(text + " is not a number with a unit");
    }
    return parts;
  }
}
