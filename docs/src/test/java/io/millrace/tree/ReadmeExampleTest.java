package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example in the README is code that compiles and does what it seems to do. */
final class ReadmeExampleTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final String EXAMPLE = "docs/src/test/java/io/millrace/tree/ReadmeExample.java";

  @Test
  void shouldShowTheExampleAsItCompiles() {
    String source = TREE.file(EXAMPLE).orElseThrow().text();
    String withoutPackage = source.substring(source.indexOf("import "));
    String readme = TREE.file("README.md").orElseThrow().text();
    List<MatchResult> blocks = JAVA_BLOCK.matcher(readme).results().toList();
    assertEquals(1, blocks.size());
    assertEquals(withoutPackage, blocks.getFirst().group(1));
  }

  @Test
  @Timeout(60)
  void shouldCopyTheFile(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[300_000]);
    Path directory = Files.createDirectory(folder.resolve("kept"));
    assertEquals(300_000, ReadmeExample.copy("0123456789abcdef".repeat(4), file, directory));
    assertEquals(-1, Files.mismatch(file, directory.resolve("copy")));
  }

  @Test
  @Timeout(60)
  void shouldAnswerTheCall() {
    assertEquals("HELLO", ReadmeExample.call("0123456789abcdef".repeat(4), "hello"));
  }
}
