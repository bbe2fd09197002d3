package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The pieces of the tutorial and of the server, one below the other, are the source that compiles
 * and runs.
 */
final class TutorialTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final String TUTORIAL = TREE.file("docs/tutorial.md").orElseThrow().text();
  private static final String SERVER = TREE.file("docs/server.md").orElseThrow().text();

  @Test
  void shouldShowTheApplicationAsItCompiles() {
    assertShows("FirstApplication.java", TUTORIAL);
  }

  @Test
  void shouldShowTheServerAsItCompiles() {
    assertShows("MillServer.java", SERVER);
  }

  private static void assertShows(String file, String document) {
    String source = text("main", file);
    String pieces =
        JAVA_BLOCK
            .matcher(document)
            .results()
            .map(block -> block.group(1))
            .collect(Collectors.joining("\n"));
    assertEquals(source.substring(source.indexOf("import ")), pieces);
  }

  @Test
  void shouldTellWhatTheTestSees() {
    String expected =
        Pattern.compile("(?m)^ +\"(.*)\"(,|\\),)$")
            .matcher(text("test", "FirstApplicationTest.java"))
            .results()
            .map((MatchResult line) -> line.group(1))
            .collect(Collectors.joining("\n", "```\n", "\n```\n"));
    assertTrue(expected.lines().count() > 4, expected);
    assertTrue(TUTORIAL.contains(expected), expected);
  }

  private static String text(String kind, String name) {
    String path = "sample-apps/samples/src/" + kind + "/java/io/millrace/samples/tutorial/" + name;
    return TREE.file(path).orElseThrow().text();
  }
}
