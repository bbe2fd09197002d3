package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The example of retries in docs/failure-handling.md is code that compiles. */
final class RetriesExampleTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final String EXAMPLE = "docs/src/test/java/io/millrace/tree/RetriesExample.java";
  private static final String BEGIN = "  // begin of the example\n";
  private static final String END = "  // end of the example\n";

  @Test
  void shouldShowTheExampleAsItCompiles() {
    String source = TREE.file(EXAMPLE).orElseThrow().text();
    String part = source.substring(source.indexOf(BEGIN) + BEGIN.length(), source.indexOf(END));
    String shown = "```java\n" + part.stripTrailing().stripIndent() + "\n```\n";
    String document = TREE.file("docs/failure-handling.md").orElseThrow().text();
    assertTrue(document.contains(shown), "docs/failure-handling.md has not:\n" + shown);
    assertFalse(RetriesExample.ORDER.isIdempotent());
    assertTrue(RetriesExample.PRICE.isIdempotent());
  }
}
