package io.millrace.testkit.internal.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.sim.VirtualTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NodeClockTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private long nowNs;
  private final VirtualTime time =
      new VirtualTime() {
        @Override
        public long nowNs() {
          return nowNs;
        }

        @Override
        public void at(long timeNs, Runnable event) {
          throw new UnsupportedOperationException();
        }
      };

  @Test
  void shouldDriftFromItsSkewOn() {
    NodeClock clock = new NodeClock(time, 500, 200);
    assertEquals(500, clock.nowNs());
    nowNs = SECOND_NS;
    assertEquals(500 + SECOND_NS + 200_000, clock.nowNs());
    clock.drift(-200);
    assertEquals(500 + SECOND_NS + 200_000, clock.nowNs());
    nowNs = 2 * SECOND_NS;
    assertEquals(500 + 2 * SECOND_NS, clock.nowNs());
  }

  @ParameterizedTest
  @ValueSource(longs = {-100_000, -200, -1, 0, 1, 200, 100_000})
  void shouldNeverBeEarlyAndHardlyLate(long ppm) {
    NodeClock clock = new NodeClock(time, 7, ppm);
    for (long nodeNs : new long[] {8, 1_000, 32_768, SECOND_NS, 3_600 * SECOND_NS}) {
      nowNs = 0;
      nowNs = clock.virtualNs(nodeNs);
      long lateNs = clock.nowNs() - nodeNs;
      assertTrue(lateNs >= 0 && lateNs <= 2, lateNs + " ns late at " + nodeNs);
    }
  }

  @Test
  void shouldMoveOnlyWallTimeWhenItIsSet() {
    NodeClock clock = new NodeClock(time, 0, 0);
    long wallMs = clock.wallMs();
    clock.step(-5 * SECOND_NS);
    assertEquals(wallMs - 5_000, clock.wallMs());
    assertEquals(0, clock.nowNs());
  }

  @Test
  void shouldTakeFarDurations() {
    NodeClock clock = new NodeClock(time, 0, 200);
    assertTrue(clock.virtualDurationNs(Long.MAX_VALUE / 2) > 0);
  }
}
