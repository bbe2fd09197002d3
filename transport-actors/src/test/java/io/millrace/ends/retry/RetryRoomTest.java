package io.millrace.ends.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetryRoomTest {
  private static final RetryPolicy POLICY = RetryPolicy.DEFAULTS;
  private static final long MS = 1_000_000;

  private final List<Runnable> timers = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private int cancelled;
  private final RetryRoom room =
      new RetryRoom(
          2 * RetryRoom.CALL_BYTES + 10,
          new RetryRoom.Means(
              (pause, task) -> {
                timers.add(task);
                return () -> cancelled++;
              },
              () -> 0,
              new Random(1)));

  private final RetryRoom.Waiter waiter =
      new RetryRoom.Waiter() {
        @Override
        public void onPauseOver() {
          told.add("over");
        }

        @Override
        public void onClosed() {
          told.add("closed");
        }
      };

  @Test
  void shouldTellACallOnce() {
    RetryRoom.Wait wait = room.enter(MS, 1, waiter);
    assertNotNull(wait);
    timers.getFirst().run();
    timers.getFirst().run();
    assertFalse(wait.cancel());
    room.close();
    assertEquals(List.of("over"), told);
    assertEquals(0, room.waitingBytes());
  }

  @Test
  void shouldTellACancelledCallNothing() {
    RetryRoom.Wait wait = room.enter(MS, 1, waiter);
    assertNotNull(wait);
    assertTrue(wait.cancel());
    timers.getFirst().run();
    room.close();
    assertEquals(List.of(), told);
    assertEquals(1, cancelled);
    assertEquals(0, room.waitingBytes());
  }

  @Test
  void shouldBoundTheBytesAndTakeNoCallAfterTheClose() {
    assertNotNull(room.enter(MS, 10, waiter));
    assertNull(room.enter(MS, 1 + RetryRoom.CALL_BYTES, waiter));
    assertNotNull(room.enter(MS, 0, waiter));
    assertNull(room.enter(MS, 0, waiter));
    room.close();
    assertEquals(List.of("closed", "closed"), told);
    assertNull(room.enter(MS, 0, waiter));
    assertEquals(0, room.waitingBytes());
  }

  @Test
  void shouldHoldNoCallThatTheTimersRefuse() {
    RetryRoom.Means broken =
        new RetryRoom.Means(
            (_, _) -> {
              throw new IllegalStateException("the timers have ended");
            },
            () -> 0,
            new Random(1));
    try (RetryRoom refusing = new RetryRoom(1_000, broken)) {
      assertNull(refusing.enter(MS, 1, waiter));
      assertEquals(0, refusing.waitingBytes());
    }
    assertEquals(List.of(), told);
  }

  @Test
  void shouldDrawEachPauseBetweenHalfAndWhole() {
    for (int retry = 0; retry < 200; retry++) {
      long mostNs = retry < 6 ? 20 * MS << retry : 1_000 * MS;
      long pauseNs = room.pauseNs(POLICY, retry);
      assertTrue(pauseNs >= mostNs / 2 && pauseNs <= mostNs, pauseNs + " ns");
    }
  }

  @Test
  void shouldLendRetriesUpToTheBurstAndTakeTheShareOfEachCallBack() {
    RetryBudgets budgets = new RetryBudgets();
    RetryPolicy two = POLICY.withBudget(40, 2);
    assertTrue(budgets.tryTake(7, two));
    assertTrue(budgets.tryTake(7, two));
    assertFalse(budgets.tryTake(7, two));
    assertTrue(budgets.tryTake(8, two), "another route");
    budgets.onCall(7, two);
    budgets.onCall(7, two);
    assertFalse(budgets.tryTake(7, two));
    budgets.onCall(7, two);
    assertTrue(budgets.tryTake(7, two));
    for (int call = 0; call < 100; call++) {
      budgets.onCall(7, two);
    }
    assertTrue(budgets.tryTake(7, two));
    assertTrue(budgets.tryTake(7, two));
    assertFalse(budgets.tryTake(7, two), "calls pay no more back than was lent");
    budgets.giveBack(7);
    assertTrue(budgets.tryTake(7, two), "a retry that no attempt used");
    assertFalse(budgets.tryTake(7, two));
  }

  @Test
  void shouldShareABudgetBeyondTheMostRoutes() {
    RetryBudgets budgets = new RetryBudgets();
    RetryPolicy one = POLICY.withBudget(0, 1);
    for (int route = 0; route < RetryBudgets.MOST_ROUTES; route++) {
      assertTrue(budgets.tryTake(route, one));
    }
    assertTrue(budgets.tryTake(-1, one));
    assertFalse(budgets.tryTake(-2, one));
  }

  @Test
  void shouldCoverOnlySafeFailures() {
    for (CallOutcome outcome : CallOutcome.values()) {
      boolean isSafe = outcome.execution() == CallOutcome.Execution.NO;
      boolean isRetried =
          outcome == CallOutcome.UNKNOWN_ROUTE
              || outcome.isRetryable() && outcome != CallOutcome.EXPIRED;
      assertEquals(isRetried, RetryPolicy.covers(outcome, true), outcome.name());
      assertEquals(isRetried && isSafe, RetryPolicy.covers(outcome, false), outcome.name());
    }
  }

  private static void assertRefused(String text, Runnable policy) {
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, policy::run);
    assertEquals(text, refused.getMessage());
  }

  @Test
  void shouldRefuseValuesOutOfRangeByName() {
    Duration ms = Duration.ofMillis(1);
    assertRefused("attempts of 0 is not within 1 to 1000", () -> POLICY.withAttempts(0));
    assertRefused("budgetPercent of -1 is not within 0 to 1000", () -> POLICY.withBudget(-1, 1));
    assertRefused("budgetBurst of 0 is not within 1 to 1000000", () -> POLICY.withBudget(1, 0));
    assertRefused(
        "a backoff of PT0S is not within 1 ms to 1 hour",
        () -> POLICY.withBackoff(Duration.ZERO, ms));
    assertRefused(
        "a maxBackoff of PT0.001S is not within the backoff, PT0.002S, to 1 hour",
        () -> POLICY.withBackoff(Duration.ofMillis(2), ms));
  }
}
