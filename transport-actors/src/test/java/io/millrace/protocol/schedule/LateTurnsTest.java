package io.millrace.protocol.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Rule L-9. */
class LateTurnsTest {
  private static final long START_NS = Long.MAX_VALUE - LateTurns.LATE_NS / 2;

  private final LateTurns turns = new LateTurns();

  @Test
  void shouldHoldTimersOfALateTurnUntilEverythingWasRead() {
    long nowNs = START_NS + LateTurns.LATE_NS; // the clock wraps
    assertTrue(turns.holdsTimers(true, START_NS, nowNs));
    assertTrue(turns.holdsTimers(true, START_NS, nowNs + 1));
    assertFalse(turns.holdsTimers(false, START_NS, nowNs + 2));
  }

  @Test
  void shouldNotHoldTimersOfATurnThatIsInTime() {
    assertFalse(turns.holdsTimers(true, START_NS, START_NS + LateTurns.LATE_NS - 1));
    assertFalse(turns.holdsTimers(false, START_NS, START_NS + 100 * LateTurns.LATE_NS));
  }

  @Test
  void shouldLetTimersFireThoughTheNetworkIsNeverReadEmpty() {
    long nowNs = START_NS + LateTurns.LATE_NS;
    int held = 0;
    while (turns.holdsTimers(true, START_NS, nowNs)) {
      held++;
    }
    assertEquals(LateTurns.MOST_TURNS, held);
    assertTrue(turns.holdsTimers(true, nowNs, nowNs + LateTurns.LATE_NS), "the next late turn");
  }
}
