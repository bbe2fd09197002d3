package io.millrace.loop.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.loop.LoopBody;
import io.millrace.loop.LoopLimits;
import io.millrace.loop.LoopWaker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The system's figures for threads of this process, and for a loop's thread. */
@Timeout(30)
class ThreadTimesTest {
  private static final long ENOUGH_NS = TimeUnit.MILLISECONDS.toNanos(20);

  private final AtomicBoolean over = new AtomicBoolean();
  private final CountDownLatch blocked = new CountDownLatch(1);

  @Test
  void shouldTellAThreadThatRunsFromAThreadThatIsBlocked() throws InterruptedException {
    assumeTrue(
        Files.isReadable(Path.of("/proc/thread-self/schedstat")),
        "SKIPPED: this system does not tell what its threads do");
    LoopBody loop =
        new LoopBody(
            "loop", new LoopLimits(16, 16), System::nanoTime, LoopWaker.NONE, (_, failure) -> {});
    loop.execute(this::spin);
    loop.execute(this::block);
    Thread driver = new Thread(() -> drive(loop), "a (name) of a thread");
    driver.setDaemon(true);
    driver.start();
    awaitRun(loop, ENOUGH_NS);
    over.set(true);
    ThreadTimes before = ThreadTimes.of(loop.runnerId());
    while (!before.isBlocked()) {
      Thread.onSpinWait();
      before = ThreadTimes.of(loop.runnerId());
    }
    ThreadTimes after = ThreadTimes.of(loop.runnerId());
    assertTrue(after.runNs() - before.runNs() < ENOUGH_NS, before + ", " + after);
    blocked.countDown();
    driver.join();
  }

  @Test
  void shouldTakeTextThatItDoesNotKnowForUnknown() {
    assertEquals(-1, ThreadTimes.parse("", "").runNs());
    assertEquals(-1, ThreadTimes.parse("x y z", "1 (a) S 1").runNs());
    assertEquals(-1, ThreadTimes.parse("0 0 0", "1 (a) S 1").runNs(), "the kernel counts nothing");
    assertEquals(-1, ThreadTimes.parse("5 6 1", "1 (a)").runNs());
    assertEquals(new ThreadTimes(5, 6, true), ThreadTimes.parse("5 6 1\n", "1 (a) b) D 1"));
    assertFalse(ThreadTimes.parse("5 6 1", "1 (S) R 1").isBlocked());
    assertFalse(ThreadTimes.parse("5 6 1", "1 (S) t 1").isBlocked(), "a debugger");
    assertEquals(-1, ThreadTimes.of(0).runNs());
  }

  private static void awaitRun(LoopBody loop, long ns) {
    long beganNs = -1;
    long ranNs = 0;
    while (ranNs < ns) {
      ThreadTimes times = ThreadTimes.of(loop.runnerId());
      if (times.runNs() > 0) {
        beganNs = beganNs < 0 ? times.runNs() : beganNs;
        ranNs = times.runNs() - beganNs;
        assertTrue(ranNs >= 0);
      }
    }
  }

  private void drive(LoopBody loop) {
    loop.enter();
    loop.runTurn();
    loop.exit();
  }

  private void spin() {
    while (!over.get()) {
      Thread.onSpinWait();
    }
  }

  private void block() {
    try {
      blocked.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
