package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop closes while other threads submit: each task either runs once or is refused once. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LoopClosingTest {
  private static final int ROUNDS = 400;
  private static final int SUBMITTERS = 3;
  private static final long SEED = Long.getLong("millrace.seed", 20_250_401L);

  @Test
  void shouldRunOrRefuseEachTaskSubmittedWhileItCloses() throws InterruptedException {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      closeAmidSubmissions(random, "seed " + SEED + " round " + round);
    }
  }

  /** Each submitter goes on until a refusal. */
  private static void closeAmidSubmissions(Random random, String where)
      throws InterruptedException {
    int capacity = 1 << (1 + random.nextInt(4));
    LoopBody loop =
        new LoopBody(
            "closing",
            new LoopLimits(capacity, 3),
            SystemNanoClock.INSTANCE,
            LoopWaker.NONE,
            (thread, failure) -> {});
    LoopThread thread = new LoopThread(loop, IdleStrategy.BUSY_SPIN, LoopSettings.ANY_CORE);
    AtomicInteger accepted = new AtomicInteger();
    AtomicInteger ran = new AtomicInteger();
    CountDownLatch warm = new CountDownLatch(SUBMITTERS);
    List<Thread> submitters = new ArrayList<>();
    for (int i = 0; i < SUBMITTERS; i++) {
      submitters.add(
          new Thread(
              () -> {
                while (submit(loop, ran)) {
                  accepted.incrementAndGet();
                  warm.countDown();
                }
              }));
    }
    thread.start();
    submitters.forEach(Thread::start);
    warm.await();
    for (int spins = random.nextInt(20_000); spins > 0; spins--) {
      Thread.onSpinWait();
    }
    loop.close();
    for (Thread submitter : submitters) {
      submitter.join();
    }
    thread.join();
    assertEquals(accepted.get(), ran.get(), where);
    assertEquals(ran.get(), loop.counters().tasks(), where);
  }

  /** Whether the loop took a task; tries again while the loop is only full. */
  private static boolean submit(LoopBody loop, AtomicInteger ran) {
    while (true) {
      try {
        loop.execute(ran::incrementAndGet);
        return true;
      } catch (RejectedExecutionException full) {
        if (loop.isClosing()) {
          return false;
        }
        Thread.onSpinWait();
      }
    }
  }
}
