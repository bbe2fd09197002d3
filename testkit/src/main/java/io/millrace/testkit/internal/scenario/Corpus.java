package io.millrace.testkit.internal.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs that failed once and go first ever after. A line of the text is a seed and, if less than the
 * whole run failed, the kept parts ({@link Keep}); {@code #} begins a comment.
 */
public final class Corpus {
  private Corpus() {}

  /**
   * Reads a corpus and closes it.
   *
   * @param text lines of the corpus; null is an empty corpus
   * @throws IllegalArgumentException naming the line that is neither empty nor a run
   */
  public static List<RunSettings> read(@Nullable InputStream text) throws IOException {
    if (text == null) {
      return List.of();
    }
    List<RunSettings> runs = new ArrayList<>();
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(text, UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        int comment = line.indexOf('#');
        String content = (comment < 0 ? line : line.substring(0, comment)).strip();
        if (!content.isEmpty()) {
          runs.add(parse(content));
        }
      }
    }
    return runs;
  }

  /** Returns the line of a run, as {@link #read} reads the line. */
  public static String line(RunSettings run) {
    return run.keep().isAll() ? Long.toString(run.seed()) : run.seed() + " " + run.keep();
  }

  private static RunSettings parse(String line) {
    String[] fields = line.split("\\s+", 2);
    try {
      return RunSettings.of(Long.parseLong(fields[0]))
          .withKeep(Keep.parse(fields.length > 1 ? fields[1] : ""));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + line + "' is not a seed and what to keep", e);
    }
  }
}
