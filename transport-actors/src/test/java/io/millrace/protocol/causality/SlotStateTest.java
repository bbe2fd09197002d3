package io.millrace.protocol.causality;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every state with every event, in the transition table and in the slots of a slot table. */
class SlotStateTest {
  private static final Pattern SPACES = Pattern.compile(" +");

  private static final String TABLE =
      """
      state         ALLOCATE  SEND          SUCCEED  FAIL
      FREE          PENDING   -             -        -
      PENDING       -         REQUEST_SENT  FREE     FREE
      REQUEST_SENT  -         REQUEST_SENT  FREE     FREE
      """;

  private interface Cell {
    void check(SlotState from, SlotState.Event event, String expected);
  }

  private static void eachCell(Cell cell) {
    String[] lines = TABLE.lines().toArray(String[]::new);
    String[] head = SPACES.splitAsStream(lines[0]).toArray(String[]::new);
    assertEquals(SlotState.values().length, lines.length - 1);
    assertEquals(SlotState.Event.values().length, head.length - 1);
    for (int row = 1; row < lines.length; row++) {
      String[] cells = SPACES.splitAsStream(lines[row]).toArray(String[]::new);
      for (int column = 1; column < cells.length; column++) {
        cell.check(
            SlotState.valueOf(cells[0]), SlotState.Event.valueOf(head[column]), cells[column]);
      }
    }
  }

  @Test
  void shouldMoveAsTheTableSays() {
    eachCell(
        (from, event, expected) -> {
          SlotState next = from.after(event);
          assertEquals(expected, next == null ? "-" : next.name(), from + " " + event);
        });
  }

  /** A freed slot shows the outcome of the slot's last transfer. */
  @Test
  void shouldMoveSlotsAsTheTableSays() {
    eachCell(
        (from, event, expected) -> {
          if (event != SlotState.Event.ALLOCATE) {
            assertEquals(
                expected.equals("-") ? "-" : shown(expected, event),
                moved(from, event),
                from + " " + event);
          }
        });
  }

  private static String shown(String expected, SlotState.Event event) {
    if (!expected.equals("FREE")) {
      return expected;
    }
    return event == SlotState.Event.SUCCEED ? "SUCCEEDED" : "FAILED";
  }

  /** The finding after an event, or a dash if the slot took no notice. */
  private static String moved(SlotState from, SlotState.Event event) {
    SlotTable slots = new SlotTable(0, 1, 1);
    long id = slots.allocate();
    if (from == SlotState.REQUEST_SENT) {
      slots.send(id);
    } else if (from == SlotState.FREE) {
      slots.end(id, true, 0);
    }
    SlotTable.Finding before = slots.look(id);
    boolean isTaken =
        switch (event) {
          case SEND -> {
            slots.send(id);
            yield slots.look(id) == SlotTable.Finding.REQUEST_SENT;
          }
          case SUCCEED -> slots.end(id, true, 0);
          case FAIL -> slots.end(id, false, id);
          case ALLOCATE -> throw new IllegalArgumentException("made by another slot");
        };
    if (!isTaken) {
      assertEquals(before, slots.look(id));
    }
    return isTaken ? slots.look(id).name() : "-";
  }
}
