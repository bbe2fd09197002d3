package io.millrace.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class ByteBudgetTest {
  private static final int ROUNDS = 200_000;

  @Test
  void shouldGiveWhatThereIsAndNoMore() {
    ByteBudget budget = new ByteBudget(100);
    assertTrue(budget.reserve(60));
    assertFalse(budget.reserve(41));
    assertTrue(budget.reserve(40));
    assertEquals(100, budget.usedBytes());
    assertFalse(budget.reserve(1));

    budget.giveBack(60);
    assertEquals(40, budget.usedBytes());
    assertTrue(budget.reserve(60));
  }

  @Test
  void shouldNotGrowThoughBytesComeBackTwice() {
    ByteBudget budget = new ByteBudget(100);
    assertTrue(budget.reserve(60));
    budget.giveBack(60);
    assertThrows(IllegalStateException.class, () -> budget.giveBack(60));
    assertEquals(0, budget.usedBytes());
    assertFalse(budget.reserve(101));
  }

  @Test
  void shouldRefuseWhatNoSumHolds() {
    ByteBudget budget = new ByteBudget(Long.MAX_VALUE);
    assertTrue(budget.reserve(Long.MAX_VALUE - 1));
    assertFalse(budget.reserve(Long.MAX_VALUE));
  }

  /**
   * A caller that asks for too much takes no bytes, not even for a moment, from a caller that asks
   * for the rest.
   */
  @Test
  void shouldNotRefuseBecauseAnotherAskedForTooMuch() throws Exception {
    ByteBudget budget = new ByteBudget(10);
    // Each caller goes on until the other caller, too, has asked often enough.
    CountDownLatch asked = new CountDownLatch(2);
    Callable<Integer> greedy =
        () -> {
          int taken = 0;
          for (int i = 0; i < ROUNDS || asked.getCount() > 0; i++) {
            taken += budget.reserve(11) ? 1 : 0;
            if (i == ROUNDS) {
              asked.countDown();
            }
          }
          return taken;
        };
    Callable<Integer> modest =
        () -> {
          int refused = 0;
          for (int i = 0; i < ROUNDS || asked.getCount() > 0; i++) {
            if (budget.reserve(10)) {
              budget.giveBack(10);
            } else {
              refused++;
            }
            if (i == ROUNDS) {
              asked.countDown();
            }
          }
          return refused;
        };
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (Future<Integer> each : threads.invokeAll(List.of(greedy, modest))) {
        assertEquals(0, each.get());
      }
    }
    assertEquals(0, budget.usedBytes());
  }
}
