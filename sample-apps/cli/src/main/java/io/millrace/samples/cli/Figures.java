package io.millrace.samples.cli;

import java.util.Locale;

/** Figures as people read them; JSON gets the plain numbers. */
final class Figures {
  private static final double THOUSAND = 1_000.0;
  private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB"};
  private static final String[] TIME_UNITS = {"ns", "us", "ms", "s"};

  private Figures() {}

  /** A count with its thousands set apart. */
  static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Bytes in decimal units. */
  static String bytes(long value) {
    return scaled(value, BYTE_UNITS);
  }

  /** A time given in nanoseconds. */
  static String time(long nanos) {
    return scaled(nanos, TIME_UNITS);
  }

  /** Seconds with three decimals. */
  static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
  }

  /** Returns bytes, their elapsed time, and bytes per second. */
  static String rate(long bytes, long elapsedNs) {
    String perSecond = bytes(Math.round(perSecond(bytes, elapsedNs)));
    return bytes(bytes) + " in " + seconds(elapsedNs) + ", " + perSecond + "/s";
  }

  /** Bytes per second; 0 if no time has passed. */
  static double perSecond(long bytes, long elapsedNs) {
    return elapsedNs == 0 ? 0 : bytes * 1e9 / elapsedNs;
  }

  private static String scaled(long value, String[] units) {
    double rest = value;
    int unit = 0;
    while (Math.abs(rest) >= THOUSAND && unit < units.length - 1) {
      rest /= THOUSAND;
      unit++;
    }
    String format = unit == 0 ? "%.0f %s" : "%.1f %s";
    return String.format(Locale.ROOT, format, rest, units[unit]);
  }
}
