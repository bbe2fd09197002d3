package io.millrace.protocol.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Both tables, every state with every event, against the intended tables. */
class FlowTransitionsTest {
  private static final Pattern SPACES = Pattern.compile(" +");

  private static final String SEND =
      """
      state       END     ALL_SENT    FAIL        SEGMENT_LOST  CANCEL      CLOSE_ACKED  PATH_ENDED
      OPEN        ENDING  -           CLOSE_SENT  CLOSE_SENT    CLOSE_SENT  -            CLOSED
      ENDING      -       CLOSE_SENT  CLOSE_SENT  CLOSE_SENT    CLOSE_SENT  -            CLOSED
      CLOSE_SENT  -       -           -           CLOSE_SENT    CLOSE_SENT  CLOSED       CLOSED
      CLOSED      -       -           -           -             -           -            -
      """;

  private static final String RECEIVE =
      """
      state       CLOSE        ALL_ARRIVED  FAIL    CANCEL       PATH_ENDED
      OPEN        CLOSE_KNOWN  -            CLOSED  CANCEL_SENT  CLOSED
      CLOSE_KNOWN -            CLOSED       CLOSED  CLOSED       CLOSED
      CANCEL_SENT CLOSED       -            CLOSED  -            CLOSED
      CLOSED      -            -            -       -            -
      """;

  @Test
  void shouldMoveSendersAsTheTableSays() {
    String[] lines = SEND.lines().toArray(String[]::new);
    assertEquals(SendFlowState.values().length, lines.length - 1);
    for (int row = 1; row < lines.length; row++) {
      String[] cells = cells(lines[row]);
      assertEquals(SendFlowEvent.values().length, cells.length - 1);
      for (int column = 1; column < cells.length; column++) {
        SendFlowEvent event = SendFlowEvent.valueOf(cells(lines[0])[column]);
        assertCell(
            cells[column],
            FlowTransitions.next(SendFlowState.valueOf(cells[0]), event),
            cells[0] + " " + event);
      }
    }
  }

  @Test
  void shouldMoveReceiversAsTheTableSays() {
    String[] lines = RECEIVE.lines().toArray(String[]::new);
    assertEquals(ReceiveFlowState.values().length, lines.length - 1);
    for (int row = 1; row < lines.length; row++) {
      String[] cells = cells(lines[row]);
      assertEquals(ReceiveFlowEvent.values().length, cells.length - 1);
      for (int column = 1; column < cells.length; column++) {
        ReceiveFlowEvent event = ReceiveFlowEvent.valueOf(cells(lines[0])[column]);
        assertCell(
            cells[column],
            FlowTransitions.next(ReceiveFlowState.valueOf(cells[0]), event),
            cells[0] + " " + event);
      }
    }
  }

  private static String[] cells(String line) {
    return SPACES.splitAsStream(line).toArray(String[]::new);
  }

  private static void assertCell(String expected, @Nullable Enum<?> next, String where) {
    if (expected.equals("-")) {
      assertNull(next, where);
    } else {
      assertTrue(next != null && next.name().equals(expected), where + " leads to " + next);
    }
  }

  @Test
  void shouldSayInTheDocumentWhatTheTablesSay() throws IOException {
    String source =
        Files.readString(Path.of("src/main/java/io/millrace/protocol/stream/FlowTransitions.java"));
    for (String table : List.of(SEND, RECEIVE)) {
      for (String line : table.lines().skip(1).toList()) {
        String wanted = " * " + line.strip();
        assertTrue(source.contains(wanted), wanted);
      }
    }
  }
}
