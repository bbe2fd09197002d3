package io.millrace.protobuf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/from-grpc.md has each outcome, and shows code that compiles. */
class GrpcPageTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| [^|]+ \\| (yes|no|perhaps) \\|$");
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");

  private static String page() throws IOException {
    return Files.readString(Path.of("../../docs/from-grpc.md"));
  }

  @Test
  void shouldHaveOneRowForEachOutcomeInTheirOrder() throws IOException {
    List<String> rows =
        ROW.matcher(page()).results().map(row -> row.group(1) + " " + row.group(2)).toList();

    assertEquals(Arrays.stream(CallOutcome.values()).map(GrpcPageTest::row).toList(), rows);
  }

  private static String row(CallOutcome outcome) {
    return outcome
        + switch (outcome.execution()) {
          case YES -> " yes";
          case NO -> " no";
          case UNKNOWN -> " perhaps";
        };
  }

  @Test
  void shouldShowCodeThatCompiles() throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/io/millrace/protobuf/ProtobufTransportTest.java"));
    List<String> shown = JAVA_BLOCK.matcher(page()).results().map(block -> block.group(1)).toList();

    assertEquals(1, shown.size());
    assertTrue(source.contains(shown.getFirst()), shown::getFirst);
  }
}
