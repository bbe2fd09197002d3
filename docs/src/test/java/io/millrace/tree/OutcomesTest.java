package io.millrace.tree;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.transfer.CallOutcome;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/operations.md gives for each outcome its meaning, whether a handler ran, and the remedy. */
final class OutcomesTest {
  private static final String DOCUMENT =
      SourceTree.current().file("docs/operations.md").orElseThrow().text();

  /** A row of four cells; the third cell says whether the call was executed. */
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| `([A-Z_]+)` \\| [^|`][^|]+ \\| (yes|no|perhaps)\\b[^|]* \\| [^|]+ \\|$");

  @Test
  void shouldHaveOneRowForEachOutcome() {
    TreeMap<String, Integer> rows = new TreeMap<>();
    ROW.matcher(DOCUMENT).results().forEach(row -> rows.merge(row.group(1), 1, Integer::sum));
    TreeMap<String, Integer> wanted = new TreeMap<>();
    for (CallOutcome outcome : CallOutcome.values()) {
      wanted.put(outcome.name(), 1);
    }
    assertEquals(wanted, rows);
  }

  /**
   * Each failure, so each outcome but OK, has a text in the second table, with its cause and
   * remedy.
   */
  @Test
  void shouldHaveATextForEachFailure() {
    TreeSet<String> told =
        Pattern.compile("(?m)^\\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \\| (?:`|the exception|what )")
            .matcher(DOCUMENT)
            .results()
            .flatMap(row -> Stream.of(row.group(1).replace("`", "").split(", ")))
            .collect(toCollection(TreeSet::new));
    TreeSet<String> wanted =
        Stream.of(CallOutcome.values())
            .filter(outcome -> outcome != CallOutcome.OK)
            .map(Enum::name)
            .collect(toCollection(TreeSet::new));
    assertEquals(wanted, told);
  }
}
