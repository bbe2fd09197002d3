package io.millrace.config;

/** Durations and sizes as one writes them into a configuration, for messages to people. */
public final class HoconText {
  private static final String[] SIZE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final int SIZE_STEP = 1_024;

  /** Name of a unit and how many of it are one of the next. */
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

  private HoconText() {}

  /** This many nanoseconds, exactly, in the largest unit of which they are a whole number. */
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

  /** This many bytes, exactly, in the largest unit of which they are a whole number. */
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
