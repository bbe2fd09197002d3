package io.millrace.samples.bench.burst;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class BurstWatchTest {
  private static final long S = 1_000_000_000L;
  private static final int CALLS = 100;
  private static final BurstOptions OPTIONS = BurstOptions.parse(List.of());

  /** A tenth of the bytes that 100 Mbit/s carry in 10 s. */
  private static final long ENOUGH_BYTES = 12_500_000;

  private final BurstWatch watch = watch(false);

  private static BurstWatch watch(boolean isLossy) {
    return new BurstWatch(OPTIONS, CALLS, 16 << 20, isLossy, S, 7);
  }

  @Test
  void shouldBeOverOnceAllCallsHaveEnded() {
    assertFalse(watch.isOver(CALLS - 1, 7, 2 * S));
    assertTrue(watch.isOver(CALLS, 7, 3 * S));
    assertEquals(new BurstWatch.End(2, 2 * S, ""), watch.end(2, 3 * S));
  }

  @Test
  void shouldGiveUpTenSecondsAfterTheLastProgress() {
    assertFalse(watch.isOver(0, 7, 10 * S));
    assertFalse(watch.isOver(60, 7, 10 * S + 1));
    assertFalse(watch.isOver(60, 7 + ENOUGH_BYTES - 1, 20 * S));
    assertTrue(watch.isOver(60, 7 + ENOUGH_BYTES - 1, 20 * S + 1));
    BurstWatch.End end = watch.end(0, 20 * S + 1);
    assertEquals("no progress for 10 s", end.gaveUp());
    assertEquals(19 * S + 1, end.overNs());
  }

  @Test
  void shouldTakeHalfOfASmallBurstForProgress() {
    BurstWatch small = new BurstWatch(OPTIONS, CALLS, 1_000, false, S, 7);
    assertFalse(small.isOver(0, 7 + 50_000, 10 * S));
    assertFalse(small.isOver(0, 7 + 99_999, 20 * S - 1));
    assertTrue(small.isOver(0, 7 + 99_999, 20 * S));
  }

  /** Large transfers that share the bottleneck may all end at the very end. */
  @Test
  void shouldTakeBytesThatTheBottleneckCarriesForProgress() {
    for (int second = 2; second < 100; second++) {
      assertFalse(watch.isOver(0, 7 + second * ENOUGH_BYTES / 9, second * S), "" + second);
    }
    assertTrue(watch.isOver(0, 102 * ENOUGH_BYTES, 101 * S + 1));
    assertEquals("limit of 100 s", watch.end(0, 101 * S + 1).gaveUp());
  }

  @Test
  void shouldEndQuietlyWhereNothingIsSentAgain() {
    BurstWatch lossy = watch(true);
    assertFalse(lossy.isOver(40, 7, 2 * S));
    assertFalse(lossy.isOver(40, 8, 4 * S));
    assertTrue(lossy.isOver(40, 9, 4 * S + 1));
    assertFalse(lossy.end(0, 4 * S + 1).isGivenUp());
  }
}
