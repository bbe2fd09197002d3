package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.config.TransportSettings;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example in the README is code that compiles and runs as the page says. */
final class ReadmeExampleTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final Pattern CLASS_BODY =
      Pattern.compile("(?s)final class ReadmeExample \\{\n(.*)}\n$");
  private static final String EXAMPLE = "docs/src/test/java/io/millrace/tree/ReadmeExample.java";

  @Test
  void shouldShowTheExampleAsItCompiles() {
    String source = TREE.file(EXAMPLE).orElseThrow().text();
    String members =
        CLASS_BODY.matcher(source).results().findFirst().orElseThrow().group(1).indent(-2);
    String readme = TREE.file("README.md").orElseThrow().text();
    List<MatchResult> blocks = JAVA_BLOCK.matcher(readme).results().toList();
    assertEquals(1, blocks.size());
    assertEquals(members, blocks.getFirst().group(1));
  }

  @Test
  @Timeout(60)
  void shouldTellThePrice() {
    String psk = "0123456789abcdef".repeat(4);
    TransportSettings settings =
        TransportSettings.parse(
            "millrace.handshake.provider = psk, millrace.handshake.psk = \"" + psk + "\"");
    ReadmeExample.Order order = new ReadmeExample.Order("anna", 3);
    assertEquals(60, ReadmeExample.price(settings, order));
    assertEquals(60, ReadmeExample.priceThatWaits(settings, order));
  }
}
