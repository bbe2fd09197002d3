package io.millrace.samples.gossip;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The distance of a validator from the leader. */
public enum LatencyClass {
  /** In the same rack. */
  RACK(5, Duration.ZERO),
  /** In another rack of the same data center. */
  CENTER(20, Duration.ofNanos(100_000)),
  /** In another data center of the same continent. */
  CONTINENT(5, Duration.ofMillis(5)),
  /** Anywhere in the world. */
  WORLD(10, Duration.ofMillis(40));

  private static final int ALL = 40;
  private static final int FIRST_NETWORK = 1;

  private final int ofForty;
  private final Duration delay;

  LatencyClass(int ofForty, Duration delay) {
    this.ofForty = ofForty;
    this.delay = delay;
  }

  /**
   * Returns the delay between the work and the answer of a local validator, to stand for the
   * distance.
   */
  public Duration delay() {
    return delay;
  }

  /** Returns the name for people. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the class of a validator among {@code count}: 5, 20, 5 and 10 of 40. */
  public static LatencyClass of(int validator, int count) {
    int place = validator * ALL / count;
    int end = 0;
    for (LatencyClass each : values()) {
      end += each.ofForty;
      if (place < end) {
        return each;
      }
    }
    return WORLD;
  }

  /**
   * Returns the class of this name.
   *
   * @throws IllegalArgumentException if no class has this name
   */
  public static LatencyClass named(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }

  /**
   * Returns the leader's drivers that lead to a validator of this class, the preferred first. In
   * the rack these are all drivers, in the data center all but the first of three or more, and
   * beyond the data center the last alone.
   */
  public List<String> share(List<String> drivers) {
    int first =
        switch (this) {
          case RACK -> 0;
          case CENTER -> Math.clamp(drivers.size() - 2L, 0, 1);
          case CONTINENT, WORLD -> drivers.size() - 1;
        };
    return drivers.subList(first, drivers.size());
  }

  /** Returns an address of this host for a local validator; each class has a network of its own. */
  String localHost(int validator) {
    return "127." + (FIRST_NETWORK + ordinal()) + ".0." + (validator + 1);
  }
}
