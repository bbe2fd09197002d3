package io.millrace.tree;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The tree has none of the things that README.md calls being built or docs/glossary.md marks with a
 * star. Once a thing is there, its entry in the document goes, and its entry here, too.
 */
final class NotBuiltTest {
  private static final SourceTree TREE = SourceTree.current();

  /** A row of the README's table: an area, the working parts, the parts being built. */
  private static final Pattern AREA =
      Pattern.compile("(?m)^\\| \\*\\*[^|\n]+\\| [^|\n]+\\| ([^|\n]+) \\|$");

  /** A row of the glossary: a term, its meaning. */
  private static final Pattern TERM = Pattern.compile("(?m)^\\| ([^|\n]+) \\| ([^|\n]+) \\|$");

  private static final Pattern ABSENT = Pattern.compile("Not built: `([^`]+)`");

  /** For each thing being built: a sign that its sources will have in their paths or their text. */
  private static final Map<String, String> SIGNS =
      Map.ofEntries(entry("qlog", "/millrace/telemetry/qlog/"));

  @Test
  void shouldCallNothingBeingBuiltThatIsThere() {
    String readme = TREE.file("README.md").orElseThrow().text();
    List<String> beingBuilt =
        AREA.matcher(readme)
            .results()
            .flatMap(row -> Stream.of(row.group(1).split(", (?![^(]*\\))")))
            .toList();
    assertEquals(new TreeSet<>(SIGNS.keySet()), new TreeSet<>(beingBuilt));
    assertEquals(
        List.of(),
        SIGNS.entrySet().stream()
            .flatMap(sign -> found(sign.getKey(), Pattern.compile(sign.getValue())))
            .toList());
  }

  @Test
  void shouldStarNoTermThatIsThere() {
    List<MatchResult> terms =
        TERM.matcher(TREE.file("docs/glossary.md").orElseThrow().text()).results().toList();
    assertTrue(terms.size() > 40, "terms of the glossary");
    for (MatchResult term : terms) {
      List<MatchResult> absent = ABSENT.matcher(term.group(2)).results().toList();
      assertEquals(term.group(1).contains("*"), !absent.isEmpty(), term.group());
      assertEquals(
          List.of(),
          absent.stream()
              .flatMap(sign -> found(term.group(1), Pattern.compile(Pattern.quote(sign.group(1)))))
              .toList());
    }
  }

  /** Sources of the product that have the sign in their path or text. */
  private static Stream<String> found(String what, Pattern sign) {
    return TREE.files().stream()
        .filter(file -> file.path().contains("/src/main/"))
        .filter(file -> sign.matcher(file.path()).find() || sign.matcher(file.text()).find())
        .map(file -> what + " is there: " + file.path());
  }
}
