package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example in docs/simulation.md is a test that compiles and runs. */
final class SimulationExampleTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final String EXAMPLE =
      "transport-streams-api/src/test/java/io/millrace/api/RegisterSimulationTest.java";

  @Test
  void shouldShowTheExampleAsItCompiles() {
    String source = TREE.file(EXAMPLE).orElseThrow().text();
    String document = TREE.file("docs/simulation.md").orElseThrow().text();
    List<MatchResult> blocks = JAVA_BLOCK.matcher(document).results().toList();
    assertEquals(1, blocks.size());
    assertEquals(source.substring(source.indexOf("import ")), blocks.getFirst().group(1));
  }
}
