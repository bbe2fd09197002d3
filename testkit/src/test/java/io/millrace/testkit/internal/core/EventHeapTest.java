package io.millrace.testkit.internal.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class EventHeapTest {
  private static final int STEPS = 20_000;

  /** Few times, so that many events share an instant, and some of these events share a tie. */
  private static final int TIMES = 50;

  private static final int TIES = 3;

  private record Expected(long timeNs, long tie, int ordinal, Runnable event) {}

  @Test
  void shouldGiveEventsByTimeThenTieThenOrderOfComing() {
    EventHeap heap = new EventHeap();
    PriorityQueue<Expected> expected =
        new PriorityQueue<>(
            Comparator.comparingLong(Expected::timeNs)
                .thenComparingLong(Expected::tie)
                .thenComparingInt(Expected::ordinal));
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < STEPS; i++) {
      // The heap grows first, over its first room, and shrinks later.
      if (random.nextInt(STEPS) > i) {
        int ordinal = i;
        Runnable event = () -> assertTrue(ordinal >= 0);
        Expected next = new Expected(random.nextInt(TIMES), random.nextInt(TIES) - 1, i, event);
        heap.add(next.timeNs(), next.tie(), event);
        expected.add(next);
      } else if (!heap.isEmpty()) {
        assertEquals(expected.element().timeNs(), heap.nextNs());
        assertSame(expected.remove().event(), heap.remove());
      }
      assertEquals(expected.size(), heap.size());
    }
  }
}
