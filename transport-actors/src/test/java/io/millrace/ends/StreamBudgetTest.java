package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.buffer.ByteBudget;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Shares of the memory for elements. */
final class StreamBudgetTest {
  private static final String PEER = "10.0.0.1:1";
  private static final String OTHER = "10.0.0.2:1";

  private final ByteBudget waiting = new ByteBudget(1_000);
  private final ByteBudget assembly = new ByteBudget(500);
  private final StreamBudget budget = new StreamBudget(waiting, assembly, 400);

  @Test
  void shouldGiveAPeerNoMoreThanItsShareAndOthersTheRest() {
    PathElements first = budget.open(PEER);
    PathElements second = budget.open(PEER);
    PathElements other = budget.open(OTHER);
    assertTrue(first.reserve(300));
    assertFalse(second.reserve(101));
    assertTrue(second.lacking().contains("millrace.streams.per-peer"), second.lacking());
    assertTrue(second.reserve(100));
    assertTrue(other.reserve(400));
    assertEquals(800, waiting.usedBytes());
    assertTrue(first.reserveAssembly(400));
    assertFalse(second.reserveAssembly(1));
    assertTrue(other.reserveAssembly(100));
    assertEquals(500, assembly.usedBytes());
    first.giveBack(300);
    assertTrue(second.reserve(300));
  }

  @Test
  void shouldTakeNothingOfTheShareWhereTheNodeHasNoMore() {
    PathElements third = budget.open("10.0.0.3:1");
    assertTrue(budget.open(PEER).reserve(400));
    assertTrue(budget.open(OTHER).reserve(400));
    assertFalse(third.reserve(201));
    assertTrue(third.lacking().startsWith("elements take all of"), third.lacking());
    assertTrue(third.reserve(200));
  }

  /** A returning peer must not get a new share while its earlier elements still wait. */
  @Test
  void shouldKeepAShareAsLongAsElementsWait() {
    PathElements before = budget.open(PEER);
    assertTrue(before.reserve(300));
    before.close();
    assertEquals(1, budget.shares());
    PathElements after = budget.open(PEER);
    assertFalse(after.reserve(101));
    after.close();
    before.giveBack(300);
    assertEquals(0, budget.shares());
    assertEquals(0, waiting.usedBytes());
  }

  @Test
  @Timeout(60)
  void shouldForgetSharesWhateverTheOrderOfThreads() throws Exception {
    try (ExecutorService applications = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < 20_000; i++) {
        PathElements path = budget.open(PEER);
        assertTrue(path.reserve(10));
        CountDownLatch done = new CountDownLatch(1);
        applications.execute(
            () -> {
              path.giveBack(10);
              done.countDown();
            });
        path.close();
        assertTrue(done.await(20, TimeUnit.SECONDS));
        assertEquals(0, budget.shares());
      }
    }
  }
}
