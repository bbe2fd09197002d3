package io.millrace.testkit;

import io.millrace.testkit.internal.base.CheckedOut;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How often a test repeats its work. The commit tier repeats little. The soak sets the system
 * property {@value #PROPERTY} to a factor, and every test that uses this class repeats its work by
 * this factor more often. Without the property the factor is 1. Stateless; any thread.
 */
public final class Repetitions {
  /** Names the system property that holds the factor: a whole number, at least 1. */
  public static final String PROPERTY = "millrace.soak";

  private Repetitions() {}

  /**
   * Returns the factor.
   *
   * @throws IllegalArgumentException with one sentence if the property is not a whole number of at
   *     least 1
   */
  public static int factor() {
    return factor(System.getProperty(PROPERTY, "1"));
  }

  static int factor(String text) {
    try {
      int factor = Integer.parseInt(text);
      if (factor >= 1) {
        return factor;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new IllegalArgumentException(
        PROPERTY + " must be a whole number of at least 1, not '" + text + "'");
  }

  /** {@code count} in the commit tier, {@code count} times the factor in the soak. */
  public static int times(int count) {
    return Math.multiplyExact(count, factor());
  }

  /**
   * Returns {@code few} of these values in the commit tier, all values in the soak. The commit
   * decides the choice: the next commit takes other values, and the same commit the same values
   * again.
   */
  public static <T> Stream<T> chosen(int few, List<T> all) {
    return factor() > 1 ? all.stream() : chosen(few, all, turn());
  }

  /** Returns a number, at least 0, that differs with the next commit, and 0 without a clone. */
  public static int turn() {
    String commit = CheckedOut.commit(Path.of(""));
    return commit == null ? 0 : commit.hashCode() >>> 1;
  }

  static <T> Stream<T> chosen(int few, List<T> all, int from) {
    return IntStream.range(0, Math.min(few, all.size()))
        .map(i -> Math.floorMod(from + i, all.size()))
        .sorted()
        .mapToObj(all::get);
  }
}
