package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples in docs/simulation.md are tests that compile and run. */
final class SimulationExampleTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final String API = "transport-streams-api/src/test/java/io/millrace/api/";
  private static final String TESTKIT = "testkit/src/test/java/io/millrace/testkit/";
  private static final String BEGIN = "  // begin of the example\n";
  private static final String END = "  // end of the example\n";
  private static final List<String> EXAMPLES =
      List.of(
          API + "RegisterSimulationTest.java",
          API + "ConstantLossSimulationTest.java",
          API + "LostAnswerSimulationTest.java",
          API + "RestartClusterTest.java",
          TESTKIT + "path/PathPairTest.java");

  @Test
  void shouldShowTheExamplesAsTheyCompile() {
    String document = TREE.file("docs/simulation.md").orElseThrow().text();
    List<String> blocks =
        JAVA_BLOCK.matcher(document).results().map(block -> block.group(1)).toList();
    assertEquals(EXAMPLES.stream().map(SimulationExampleTest::shown).toList(), blocks);
  }

  private static String shown(String example) {
    String source = TREE.file(example).orElseThrow().text();
    int begin = source.indexOf(BEGIN);
    if (begin < 0) {
      return source.substring(source.indexOf("import "));
    }
    String part = source.substring(begin + BEGIN.length(), source.indexOf(END));
    // An empty line has no indentation, nor has the line behind the last line.
    return part.stripTrailing().stripIndent() + "\n";
  }
}
