package io.millrace.testkit.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The kept lines of a process's output. */
@Timeout(60)
class OutputTailTest {
  private static List<String> tailOf(String text) throws InterruptedException {
    OutputTail tail = new OutputTail("test", new ByteArrayInputStream(text.getBytes(UTF_8)));
    tail.awaitEnd(30_000);
    return tail.lines();
  }

  @Test
  void shouldKeepLinesAndAnUnfinishedOne() throws Exception {
    assertEquals(List.of(), tailOf(""));
    assertEquals(List.of("one", "", "two"), tailOf("one\n\ntwo"));
  }

  @Test
  void shouldKeepTheLastLinesAndCountTheOthers() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < OutputTail.MOST_LINES + 2; i++) {
      text.append(i).append('\n');
    }
    List<String> lines = tailOf(text.toString());
    assertEquals(OutputTail.MOST_LINES + 1, lines.size());
    assertEquals(List.of("[2 lines before]", "2"), lines.subList(0, 2));
    assertEquals("1001", lines.getLast());
  }

  @Test
  void shouldCutALineThatIsTooLong() throws Exception {
    String kept = "x".repeat(OutputTail.MOST_CHARS);
    assertEquals(List.of(kept, "next"), tailOf(kept + "x".repeat(9_000) + "\nnext"));
  }
}
