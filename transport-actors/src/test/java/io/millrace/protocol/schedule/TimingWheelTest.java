package io.millrace.protocol.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimingWheelTest {
  private static final long TICK = 1 << 15;
  private static final int SLOTS = 64;
  private static final long ROTATION = SLOTS * TICK;

  private final List<Integer> fired = new ArrayList<>();
  private final List<Long> firedAtNs = new ArrayList<>();
  private final TimingWheel wheel = new TimingWheel(TICK, SLOTS, 0);

  private Timer timer(int kind) {
    return new Timer(
        (timer, nowNs) -> {
          fired.add(timer.kind());
          firedAtNs.add(nowNs);
        },
        kind);
  }

  private Timer scheduled(int kind, long deadlineNs) {
    final Timer timer = timer(kind);
    wheel.schedule(timer, deadlineNs);
    return timer;
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000_000, 1L << 20, 2_000_000, 0, -1, Long.MIN_VALUE, 3, 50_000})
  void shouldRejectTicksThatAreNoPowerOfTwoBelowOneMillisecond(long tickNs) {
    assertThrows(IllegalArgumentException.class, () -> new TimingWheel(tickNs, SLOTS, 0));
  }

  @Test
  void shouldAcceptTheLongestTickBelowOneMillisecond() {
    assertEquals(1 << 19, new TimingWheel(1 << 19, SLOTS, 0).tickNs());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 32, 63, 65, 100, 1 << 17, -64})
  void shouldRejectSlotsThatAreNoPowerOfTwoInRange(int slots) {
    assertThrows(IllegalArgumentException.class, () -> new TimingWheel(TICK, slots, 0));
  }

  @Test
  void shouldFireAtTheBoundaryOfTheSlotAndNotBefore() {
    for (int slot = 1; slot <= 2 * SLOTS; slot++) {
      scheduled(slot, slot * TICK);
    }
    for (int slot = 1; slot <= 2 * SLOTS; slot++) {
      assertEquals(0, wheel.advance(slot * TICK - 1));
      assertEquals(slot * TICK, wheel.nextDeadlineNs());
      assertEquals(1, wheel.advance(slot * TICK));
      assertEquals(slot, fired.getLast());
    }
    assertEquals(0, wheel.scheduledTimers());
  }

  @Test
  void shouldRoundUpADeadlineWithinATickAndNeverFireEarly() {
    scheduled(1, 5 * TICK + 1);
    assertEquals(0, wheel.advance(5 * TICK + TICK - 1));
    assertEquals(6 * TICK, wheel.nextDeadlineNs());
    assertEquals(1, wheel.advance(6 * TICK));
  }

  @Test
  void shouldFireADeadlineThatHasPassedAtTheNextAdvance() {
    wheel.advance(10 * TICK);
    scheduled(1, 3 * TICK);
    scheduled(2, 10 * TICK);
    assertTrue(wheel.nextDeadlineNs() <= 10 * TICK);
    assertEquals(2, wheel.advance(10 * TICK));
    assertEquals(List.of(1, 2), fired);
  }

  @Test
  void shouldKeepDeadlinesBeyondOneRotationUntilTheirOwn() {
    scheduled(1, 3 * ROTATION + 7 * TICK);
    scheduled(2, 200 * ROTATION + 7 * TICK);
    for (long now = 0; now < 3 * ROTATION + 7 * TICK; now += TICK) {
      assertEquals(0, wheel.advance(now));
    }
    assertEquals(3 * ROTATION + 7 * TICK, wheel.nextDeadlineNs());
    assertEquals(1, wheel.advance(3 * ROTATION + 7 * TICK));
    assertEquals(200 * ROTATION + 7 * TICK, wheel.nextDeadlineNs());
    assertEquals(0, wheel.advance(200 * ROTATION + 7 * TICK - 1));
    assertEquals(1, wheel.advance(200 * ROTATION + 7 * TICK));
    assertEquals(List.of(1, 2), fired);
  }

  @Test
  void shouldFireEachDueTimerOnceInOrderAfterAJumpOfTenSeconds() {
    final long tenSecondsNs = 10_000_000_000L;
    final List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      scheduled(i, i * 1_000_000L);
      expected.add(i);
    }
    final Timer later = scheduled(-1, tenSecondsNs + 2 * TICK);
    assertEquals(10_000, wheel.advance(tenSecondsNs));
    assertEquals(expected, fired);
    assertEquals(0, wheel.advance(tenSecondsNs));
    assertTrue(later.isScheduled());
    assertEquals(1, wheel.advance(tenSecondsNs + 3 * TICK));
  }

  @Test
  void shouldFireInTheOrderOfTheScheduleCallsWithinATick() {
    for (int i = 0; i < 1000; i++) {
      scheduled(i, 9 * TICK - (i * 31 % 1000));
    }
    wheel.advance(9 * TICK);
    for (int i = 0; i < 1000; i++) {
      assertEquals(i, fired.get(i));
    }
  }

  @Test
  void shouldCountAMoveAsAScheduleCallWithinATick() {
    final Timer first = scheduled(1, 3 * TICK);
    scheduled(2, 9 * TICK);
    wheel.schedule(first, 9 * TICK);
    scheduled(3, 9 * TICK);
    final Timer fourth = scheduled(4, 9 * TICK);
    wheel.schedule(fourth, 9 * TICK);
    wheel.schedule(first, 9 * TICK);
    wheel.advance(9 * TICK);
    assertEquals(List.of(2, 3, 4, 1), fired);
  }

  @Test
  void shouldNotFireAtTheOldDeadlineAfterAMoveToALaterOne() {
    final Timer timer = scheduled(1, 3 * TICK);
    for (int i = 4; i < 500; i++) {
      wheel.schedule(timer, i * TICK);
      assertEquals(i * TICK, wheel.nextDeadlineNs());
      assertEquals(0, wheel.advance((i - 1) * TICK));
    }
    assertEquals(1, wheel.scheduledTimers());
    assertEquals(1, wheel.advance(499 * TICK));
  }

  @Test
  void shouldFireAtTheEarlierDeadlineAfterAMove() {
    final Timer timer = scheduled(1, 3 * ROTATION);
    wheel.schedule(timer, 5 * TICK);
    assertEquals(5 * TICK, wheel.nextDeadlineNs());
    assertEquals(1, wheel.advance(5 * TICK));
    assertEquals(0, wheel.advance(4 * ROTATION));
  }

  @Test
  void shouldNotFireACancelledTimer() {
    final Timer first = scheduled(1, 3 * TICK);
    scheduled(2, 3 * TICK);
    final Timer third = scheduled(3, 2 * ROTATION);
    wheel.cancel(first);
    wheel.cancel(first);
    wheel.cancel(third);
    assertFalse(first.isScheduled());
    assertEquals(Long.MAX_VALUE, first.deadlineNs());
    assertEquals(1, wheel.scheduledTimers());
    wheel.advance(3 * ROTATION);
    assertEquals(List.of(2), fired);
    assertEquals(Long.MAX_VALUE, wheel.nextDeadlineNs());
  }

  @Test
  void shouldTakeTheLargestTimeAsCancel() {
    final Timer timer = scheduled(1, 3 * TICK);
    wheel.schedule(timer, Long.MAX_VALUE);
    assertFalse(timer.isScheduled());
    assertEquals(Long.MAX_VALUE, wheel.nextDeadlineNs());
    wheel.schedule(timer, Long.MAX_VALUE - 1);
    assertTrue(timer.isScheduled());
    assertTrue(wheel.nextDeadlineNs() > Long.MAX_VALUE - 2 * TICK);
    assertEquals(0, wheel.advance(1L << 60));
  }

  @Test
  void shouldHoldBackWhatExceedsTheLimitWithoutLosingOrder() {
    for (int i = 0; i < 10; i++) {
      scheduled(i, (i + 1) * TICK);
    }
    assertEquals(4, wheel.advance(10 * TICK, 4));
    scheduled(10, 0);
    assertTrue(wheel.nextDeadlineNs() <= 10 * TICK);
    assertEquals(4, wheel.advance(10 * TICK, 4));
    assertEquals(3, wheel.advance(10 * TICK, 4));
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), fired);
  }

  @Test
  void shouldFireWhatAHandlerSchedulesAtTheNextAdvanceOnly() {
    final Timer again =
        new Timer(
            (timer, nowNs) -> {
              fired.add(timer.kind());
              wheel.schedule(timer, nowNs);
            },
            7);
    wheel.schedule(again, TICK);
    assertEquals(1, wheel.advance(50 * TICK));
    assertEquals(1, wheel.advance(50 * TICK));
    assertEquals(List.of(7, 7), fired);
  }

  @Test
  void shouldLetAHandlerCancelAndMoveTimersThatAreDueWithIt() {
    final Timer second = timer(2);
    final Timer third = timer(3);
    final Timer first =
        new Timer(
            (timer, nowNs) -> {
              wheel.cancel(second);
              wheel.schedule(third, nowNs + 5 * TICK);
            },
            1);
    wheel.schedule(first, TICK);
    wheel.schedule(second, TICK);
    wheel.schedule(third, TICK);
    assertEquals(1, wheel.advance(TICK));
    assertEquals(1, wheel.advance(6 * TICK));
    assertEquals(List.of(3), fired);
  }

  @Test
  void shouldGoOnAfterAHandlerThatThrows() {
    final Timer faulty =
        new Timer(
            (timer, nowNs) -> {
              throw new IllegalStateException("planted");
            },
            1);
    wheel.schedule(faulty, TICK);
    scheduled(2, TICK);
    assertThrows(IllegalStateException.class, () -> wheel.advance(TICK));
    assertEquals(1, wheel.scheduledTimers());
    assertEquals(1, wheel.advance(TICK));
    assertEquals(List.of(2), fired);
  }

  @Test
  void shouldIgnoreTimeThatRunsBackwards() {
    wheel.advance(100 * TICK);
    scheduled(1, 101 * TICK);
    assertEquals(0, wheel.advance(0));
    assertEquals(1, wheel.advance(101 * TICK));
  }

  @Test
  void shouldWorkWithTimesBelowZero() {
    final TimingWheel early = new TimingWheel(TICK, SLOTS, -10 * ROTATION);
    final Timer timer = timer(1);
    early.schedule(timer, -5 * ROTATION + 1);
    assertEquals(-5 * ROTATION + TICK, early.nextDeadlineNs());
    assertEquals(0, early.advance(-5 * ROTATION));
    assertEquals(1, early.advance(-5 * ROTATION + TICK));
  }

  @Test
  void shouldTellTheHandlerTheTimeOfTheAdvance() {
    scheduled(1, TICK);
    wheel.advance(17 * TICK + 5);
    assertEquals(List.of(17 * TICK + 5), firedAtNs);
  }

  @Test
  void shouldHaveNothingThatThreadsCouldShare() {
    for (Class<?> type : List.of(TimingWheel.class, Timer.class, TimerList.class)) {
      assertTrue(
          Arrays.stream(type.getDeclaredFields())
              .noneMatch(
                  field ->
                      Modifier.isVolatile(field.getModifiers())
                          || field.getType().getName().startsWith("java.util.concurrent")));
      assertTrue(
          Arrays.stream(type.getDeclaredMethods())
              .noneMatch(method -> Modifier.isSynchronized(method.getModifiers())));
    }
  }
}
