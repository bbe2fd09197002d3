package io.millrace.protocol.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ShaperTest {
  private static final long GIGABIT = 1_000_000_000L;
  private static final long START_NS = 5;

  @Test
  void shouldShareRateAmongWorkers() {
    final Shaper shaper = new Shaper(25 * GIGABIT, 5, 0);
    shaper.onTrain(50_000, 1, START_NS);
    assertFalse(shaper.mayStart(START_NS));
    assertEquals(START_NS + 80_000, shaper.nextDeadlineNs());
  }

  @Test
  void shouldCountHeadersOfEachPacket() {
    final Shaper shaper = new Shaper(GIGABIT, 1, 42);
    shaper.onTrain(10_000, 10, START_NS);
    shaper.onUrgent(100, START_NS);
    assertFalse(shaper.mayStart(START_NS));
    assertEquals(START_NS + (10_420 + 142) * 8, shaper.nextDeadlineNs());
  }

  @Test
  void shouldHaveDeadlineWhileSomethingWaitsOnly() {
    final Shaper shaper = new Shaper(GIGABIT, 1, 0);
    shaper.onTrain(10_000, 1, START_NS);
    assertEquals(Long.MAX_VALUE, shaper.nextDeadlineNs());
    assertFalse(shaper.mayStart(START_NS));
    assertTrue(shaper.isWaiting());
    assertEquals(START_NS + 80_000, shaper.nextDeadlineNs());
    shaper.onIdle();
    assertEquals(Long.MAX_VALUE, shaper.nextDeadlineNs());
  }

  @Test
  void shouldCostNothingWithoutRate() {
    final Shaper shaper = new Shaper(LeakyBucket.UNLIMITED, 3, 42);
    shaper.onTrain(1 << 20, 1, START_NS);
    assertTrue(shaper.mayStart(START_NS));
    assertEquals(Integer.MAX_VALUE, shaper.trainBytes(START_NS));
    assertEquals(Long.MAX_VALUE, shaper.nextDeadlineNs());
  }
}
