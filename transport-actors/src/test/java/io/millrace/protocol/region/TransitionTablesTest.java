package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Both tables, every state with every event, against the intended tables. */
class TransitionTablesTest {
  private static final Pattern SPACES = Pattern.compile(" +");

  private static final String REGIONS =
      """
      state       GRANT   WRITE   CONSUME   RECORD_BAD REUSE   REVOKE      FINISH      QUIESCE
      FREE        GRANTED -       -         -          -       -           -           -
      GRANTED     -       WRITTEN CONSUMING -          -       QUARANTINED -           -
      WRITTEN     -       WRITTEN CONSUMING WRITTEN    -       QUARANTINED -           -
      CONSUMING   -       -       -         WRITTEN    GRANTED REVOKING    QUARANTINED -
      REVOKING    -       -       -         REVOKING   -       REVOKING    QUARANTINED -
      QUARANTINED -       -       -         -          -       QUARANTINED -           FREE
      """;

  private static final String TOKENS =
      """
      state    ACQUIRE RELEASE WRITE_OUT REUSE  VOID
      CACHED   IN_USE  -       -         -      GONE
      IN_USE   -       CACHED  WAIT_ACK  CACHED GONE
      WAIT_ACK -       -       -         CACHED GONE
      GONE     -       -       -         -      -
      """;

  @Test
  void shouldMoveRegionsAsTheTableSays() {
    String[] lines = REGIONS.lines().toArray(String[]::new);
    assertEquals(RegionState.values().length, lines.length - 1);
    for (int row = 1; row < lines.length; row++) {
      String[] cells = cells(lines[row]);
      assertEquals(RegionEvent.values().length, cells.length - 1);
      for (int column = 1; column < cells.length; column++) {
        RegionEvent event = RegionEvent.valueOf(cells(lines[0])[column]);
        RegionState next = RegionTransitions.next(RegionState.valueOf(cells[0]), event);
        assertCell(cells[column], next, cells[0] + " " + event);
      }
    }
  }

  @Test
  void shouldMoveTokensAsTheTableSays() {
    String[] lines = TOKENS.lines().toArray(String[]::new);
    assertEquals(TokenState.values().length, lines.length - 1);
    for (int row = 1; row < lines.length; row++) {
      String[] cells = cells(lines[row]);
      assertEquals(TokenEvent.values().length, cells.length - 1);
      for (int column = 1; column < cells.length; column++) {
        TokenEvent event = TokenEvent.valueOf(cells(lines[0])[column]);
        TokenState next = TokenTransitions.next(TokenState.valueOf(cells[0]), event);
        assertCell(cells[column], next, cells[0] + " " + event);
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
      assertTrue(next != null && next.name().equals(expected.toUpperCase(Locale.ROOT)), where);
    }
  }

  @Test
  void shouldReachEveryStateOfARegionAndGrantOnlyAfterTheQuarantine() {
    EnumSet<RegionState> seen = EnumSet.of(RegionState.FREE);
    ArrayDeque<RegionState> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      RegionState from = open.remove();
      for (RegionEvent event : RegionEvent.values()) {
        RegionState next = RegionTransitions.next(from, event);
        if (next == RegionState.FREE) {
          assertEquals(RegionState.QUARANTINED, from);
        }
        if (next != null && seen.add(next)) {
          open.add(next);
        }
      }
    }
    assertEquals(EnumSet.allOf(RegionState.class), seen);
  }
}
