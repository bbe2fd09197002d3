package io.millrace.protocol.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Rule L-9. */
class LateTurnsTest {
  private final long startNs = shortlyBeforeTheClockWraps();

  private final LateTurns turns = new LateTurns();

  /** Not a constant, because the compiler would report overflowing sums of constants. */
  private static long shortlyBeforeTheClockWraps() {
    return Long.MAX_VALUE - LateTurns.LATE_NS / 2;
  }

  @Test
  void shouldHoldTimersOfALateTurnUntilEverythingWasRead() {
    long nowNs = startNs + LateTurns.LATE_NS; // the clock wraps
    assertTrue(turns.holdsTimers(true, startNs, nowNs));
    assertTrue(turns.holdsTimers(true, startNs, nowNs + 1));
    assertFalse(turns.holdsTimers(false, startNs, nowNs + 2));
  }

  @Test
  void shouldNotHoldTimersOfATurnThatIsInTime() {
    assertFalse(turns.holdsTimers(true, startNs, startNs + LateTurns.LATE_NS - 1));
    assertFalse(turns.holdsTimers(false, startNs, startNs + 100 * LateTurns.LATE_NS));
  }

  @Test
  void shouldLetTimersFireThoughTheNetworkIsNeverReadEmpty() {
    long nowNs = startNs + LateTurns.LATE_NS;
    int held = 0;
    while (turns.holdsTimers(true, startNs, nowNs)) {
      held++;
    }
    assertEquals(LateTurns.MOST_TURNS, held);
    assertTrue(turns.holdsTimers(true, nowNs, nowNs + LateTurns.LATE_NS), "the next late turn");
  }
}
