package io.millrace.testkit.internal.scenario;

/**
 * Consecutive seeds.
 *
 * @param first the first seed
 * @param last the last seed, included
 */
public record SeedRange(long first, long last) {
  private static final String SEPARATOR = "..";

  /** Checks that the range has a seed. */
  public SeedRange {
    if (last < first || last - first < 0 || last - first >= Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "seeds must be a number or FIRST..LAST, not '" + first + SEPARATOR + last + "'");
    }
  }

  /** One seed. */
  public static SeedRange of(long seed) {
    return new SeedRange(seed, seed);
  }

  /**
   * Reads {@code A..B}, both included, or {@code A}.
   *
   * @throws IllegalArgumentException with one sentence if the text has neither form
   */
  public static SeedRange parse(String text) {
    int separator = text.indexOf(SEPARATOR);
    try {
      return separator < 0
          ? of(Long.parseLong(text.strip()))
          : new SeedRange(
              Long.parseLong(text.substring(0, separator).strip()),
              Long.parseLong(text.substring(separator + SEPARATOR.length()).strip()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "seeds must be a number or FIRST..LAST, not '" + text + "'", e);
    }
  }

  /** How many. */
  public int count() {
    return (int) (last - first + 1);
  }

  /** This range, longer by a factor; the range grows upwards. A single seed stays alone. */
  public SeedRange times(int factor) {
    return count() == 1
        ? this
        : new SeedRange(first, first + Math.multiplyExact(count(), factor) - 1);
  }

  @Override
  public String toString() {
    return count() == 1 ? Long.toString(first) : first + SEPARATOR + last;
  }
}
