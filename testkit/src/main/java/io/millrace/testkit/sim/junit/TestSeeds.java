package io.millrace.testkit.sim.junit;

import io.millrace.testkit.Repetitions;
import io.millrace.testkit.internal.base.CheckedOut;
import io.millrace.testkit.internal.scenario.SeedRange;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Seeds of a test: always the same seeds, or other seeds with each commit.
 *
 * @param range first and last seed
 * @param origin the source of the seeds, for people; empty if the seeds are always the same
 */
record TestSeeds(SeedRange range, String origin) {
  /** Names the property with the hash of the commit. */
  static final String COMMIT = "millrace.sim.commit";

  /** First of the seeds if nobody knows the commit. */
  static final long WITHOUT_COMMIT = 1_000_000_000;

  private static final String PER_COMMIT = "commit+";
  private static final int DIGITS = 10;
  private static final int HEXADECIMAL = 16;
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{" + DIGITS + ",}");

  /**
   * Reads {@code A..B}, {@code A}, or {@code commit+N}: the N seeds from the first {@value #DIGITS}
   * digits of the commit on. The property {@value #COMMIT} names the commit, or else git's files
   * do.
   *
   * @throws IllegalArgumentException with one sentence if the text has no such form
   */
  static TestSeeds parse(String text) {
    return parse(text, System.getProperty(COMMIT), Path.of(""));
  }

  /**
   * Reads seeds with a given commit.
   *
   * @param named the commit, or null
   * @param folder in which to look for a clone if no commit is given
   */
  static TestSeeds parse(String text, @Nullable String named, Path folder) {
    if (!text.startsWith(PER_COMMIT)) {
      return new TestSeeds(SeedRange.parse(text), "");
    }
    String commit = named == null ? CheckedOut.commit(folder) : named;
    if (commit != null && !HASH.matcher(commit).matches()) {
      throw new IllegalArgumentException(
          COMMIT + " must begin with " + DIGITS + " hexadecimal digits, not '" + commit + "'");
    }
    long first =
        commit == null ? WITHOUT_COMMIT : Long.parseLong(commit.substring(0, DIGITS), HEXADECIMAL);
    String origin =
        commit == null
            ? "always the same, since there is no clone here and no -D" + COMMIT + "=HASH"
            : "of commit " + commit;
    return new TestSeeds(new SeedRange(first, first + count(text) - 1), origin);
  }

  /** These seeds, multiplied by the factor of the soak: see {@link Repetitions}. */
  TestSeeds repeated() {
    return new TestSeeds(range.times(Repetitions.factor()), origin);
  }

  private static int count(String text) {
    String digits = text.substring(PER_COMMIT.length());
    try {
      int count = Integer.parseInt(digits);
      if (count > 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new IllegalArgumentException(
        "seeds of a commit must be " + PER_COMMIT + " and how many, not '" + text + "'");
  }

  /** Whether the next commit has other seeds. */
  boolean isOfCommit() {
    return !origin.isEmpty();
  }

  @Override
  public String toString() {
    return isOfCommit() ? range + ", " + origin : range.toString();
  }
}
