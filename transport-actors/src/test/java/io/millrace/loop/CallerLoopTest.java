package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.concurrent.Await;
import scala.concurrent.Promise;
import scala.concurrent.duration.Duration;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CallerLoopTest {
  private long nowNs;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final LoopBody loop =
      new LoopBody(
          "driven",
          new LoopLimits(8, 8),
          () -> nowNs,
          LoopWaker.NONE,
          (thread, thrown) -> failure.set(thrown));
  private final DrivenLoop caller = new DrivenLoop(loop);

  @Test
  void shouldRunTasksOnlyWhenDriven() {
    AtomicReference<EventLoop> where = new AtomicReference<>();
    AtomicReference<Thread> thread = new AtomicReference<>();
    loop.execute(
        () -> {
          where.set(EventLoop.current());
          thread.set(Thread.currentThread());
        });
    assertNull(where.get());
    assertEquals(1, caller.runTurn());
    assertSame(loop, where.get());
    assertSame(Thread.currentThread(), thread.get());
    assertEquals(0, caller.runTurn());
    assertFalse(loop.inLoop());
  }

  @Test
  void shouldRunUntilDoneOrDeadline() {
    AtomicInteger turns = new AtomicInteger();
    RecordingCycle cycle = new RecordingCycle();
    cycle.work =
        now -> {
          nowNs += 10;
          return turns.incrementAndGet();
        };
    loop.execute(() -> loop.register(cycle));
    assertTrue(caller.runUntil(() -> turns.get() == 5, 1_000));
    assertEquals(5, turns.get());
    assertFalse(caller.runUntil(() -> false, 100));
    assertEquals(13, turns.get(), "noticed at the eighth turn");
    assertTrue(caller.runUntil(() -> true, 0));
    assertEquals(13, turns.get());
  }

  @Test
  void shouldRefuseReentrantTurn() {
    loop.execute(caller::runTurn);
    caller.runTurn();
    assertTrue(failure.get() instanceof IllegalStateException, String.valueOf(failure.get()));
  }

  @Test
  void shouldRefuseSecondThreadWhileTurnRuns() throws InterruptedException, BrokenBarrierException {
    CyclicBarrier barrier = new CyclicBarrier(2);
    loop.execute(
        () -> {
          await(barrier);
          await(barrier);
        });
    Thread driver = new Thread(caller::runTurn);
    driver.start();
    barrier.await();
    IllegalStateException refusal = assertThrows(IllegalStateException.class, caller::runTurn);
    assertTrue(refusal.toString().contains(driver.getName()), refusal.getMessage());
    barrier.await();
    driver.join();
    assertEquals(0, caller.runTurn());
  }

  @Test
  void shouldRefuseToBlockOnBorrowedThread() {
    loop.execute(() -> await(Promise.<String>apply()));
    caller.runTurn();
    assertTrue(failure.get() instanceof BlockingRefusedException, String.valueOf(failure.get()));
  }

  @Test
  void shouldFinishByStandInWhenNobodyDrives() throws InterruptedException {
    LoopExecutor executor = new LoopExecutor(loop, caller);
    AtomicInteger ran = new AtomicInteger();
    RecordingCycle cycle = new RecordingCycle();
    executor.execute(() -> loop.register(cycle));
    executor.execute(ran::incrementAndGet);
    executor.shutdown();
    executor.shutdown();
    assertTrue(executor.isShutdown());
    assertTrue(executor.awaitTermination(1, TimeUnit.HOURS));
    assertTrue(executor.isTerminated());
    assertTrue(caller.isClosed());
    assertEquals(1, ran.get());
    assertEquals(0, caller.runTurn());
    assertFalse(caller.runUntil(() -> false, Long.MAX_VALUE));
  }

  @Test
  void shouldNotDisturbStandInThatDrives() throws InterruptedException, BrokenBarrierException {
    CyclicBarrier barrier = new CyclicBarrier(2);
    loop.execute(
        () -> {
          await(barrier);
          await(barrier);
        });
    caller.standInFromNowOn();
    barrier.await();
    assertEquals(0, caller.runTurn());
    assertFalse(caller.runUntil(() -> false, nowNs));
    barrier.await();
    loop.close();
    assertTrue(loop.awaitClosed(1, TimeUnit.HOURS));
  }

  @Test
  void shouldFinishOldLoopAndDriveItsSuccessor() throws InterruptedException {
    LoopExecutor old = new LoopExecutor(loop, caller);
    AtomicInteger ran = new AtomicInteger();
    old.execute(ran::incrementAndGet);
    LoopBody next =
        new LoopBody(
            "next", new LoopLimits(8, 8), () -> nowNs, LoopWaker.NONE, (thread, thrown) -> {});
    caller.attach(next);
    old.shutdown();
    assertTrue(old.awaitTermination(1, TimeUnit.HOURS));
    assertEquals(1, ran.get());
    next.execute(ran::incrementAndGet);
    assertTrue(caller.runUntil(() -> ran.get() == 2, Long.MAX_VALUE));
    assertFalse(caller.isClosed());
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(Promise<String> never) {
    try {
      Await.result(never.future(), Duration.Inf());
    } catch (java.util.concurrent.TimeoutException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
