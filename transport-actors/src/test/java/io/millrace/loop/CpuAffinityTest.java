package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CpuAffinityTest {
  private static final CpuSet ALLOWED = CpuAffinity.ofProcess();

  @Test
  void shouldPinThreadAndReadItBack() throws Exception {
    assumeFalse(ALLOWED.isEmpty(), "SKIPPED: threads cannot be pinned on this system");
    for (int cpu : ALLOWED.toList()) {
      Pinning pinning = onNewThread(() -> CpuAffinity.pinCurrentThread(cpu));
      assertTrue(pinning.isPinned(), pinning.toString());
      assertEquals(CpuSet.of(cpu), pinning.actual());
      assertNull(pinning.refusal());
    }
    assertEquals(ALLOWED, CpuAffinity.ofProcess(), "the process keeps its CPUs");
  }

  @Test
  void shouldSayWhyThreadWasNotPinned() throws Exception {
    Pinning pinning = onNewThread(() -> CpuAffinity.pinCurrentThread(8_000));
    assertFalse(pinning.isPinned());
    assertEquals(8_000, pinning.requestedCpu());
    assertNotNull(pinning.refusal());
    assertEquals(onNewThread(CpuAffinity::ofCurrentThread), pinning.actual());
    assertThrows(IllegalArgumentException.class, () -> CpuAffinity.pinCurrentThread(-1));
    assertFalse(Pinning.NOT_REQUESTED.isPinned());
  }

  @Test
  void shouldLetThreadsRunElsewhereThatLoopsMade() throws Exception {
    assumeTrue(ALLOWED.count() > 1, "SKIPPED: needs two CPUs on which threads can be pinned");
    int cpu = ALLOWED.toList().getLast();
    LoopBody loop =
        new LoopBody(
            "pinned",
            new LoopLimits(8, 8),
            SystemNanoClock.INSTANCE,
            LoopWaker.NONE,
            (thread, failure) -> {});
    LoopThread thread = new LoopThread(loop, work -> LockSupport.parkNanos(1), cpu);
    FutureTask<Integer> strayId = new FutureTask<>(CpuAffinity::currentThreadId);
    thread.start();
    Thread stray = onLoop(loop, () -> Thread.ofPlatform().unstarted(() -> live(strayId)));
    assertNotNull(stray);
    onLoop(
        loop,
        () -> {
          stray.start();
          return null;
        });
    int strayTid = strayId.get();
    int loopTid = onLoop(loop, CpuAffinity::currentThreadId);
    assertEquals(CpuSet.of(cpu), CpuAffinity.get(strayTid), "inherited from the loop's thread");
    assertTrue(DedicatedCores.OF_PROCESS.cpus().contains(cpu));

    assertTrue(DedicatedCores.OF_PROCESS.evictStrays() >= 1);

    assertEquals(ALLOWED.without(DedicatedCores.OF_PROCESS.cpus()), CpuAffinity.get(strayTid));
    assertEquals(CpuSet.of(cpu), CpuAffinity.get(loopTid));
    assertEquals(0, DedicatedCores.OF_PROCESS.evictStrays());
    stray.interrupt();
    stray.join();
    loop.close();
    thread.join();
    assertFalse(DedicatedCores.OF_PROCESS.cpus().contains(cpu));
  }

  @Test
  void shouldNotInheritPinningFromAnotherLoop() throws Exception {
    assumeTrue(ALLOWED.count() > 1, "SKIPPED: needs two CPUs on which threads can be pinned");
    LoopBody pinned = body("pinned");
    LoopThread first =
        new LoopThread(pinned, work -> LockSupport.parkNanos(1), ALLOWED.toList().getLast());
    first.start();
    LoopBody free = body("free");
    LoopThread second =
        onLoop(
            pinned,
            () -> {
              LoopThread made =
                  new LoopThread(free, work -> LockSupport.parkNanos(1), LoopSettings.ANY_CORE);
              made.start();
              return made;
            });
    assertEquals(ALLOWED, onLoop(free, CpuAffinity::ofCurrentThread));
    assertEquals(Pinning.NOT_REQUESTED, free.pinning());
    free.close();
    pinned.close();
    first.join();
    second.join();
  }

  private static LoopBody body(String name) {
    return new LoopBody(
        name,
        new LoopLimits(8, 8),
        SystemNanoClock.INSTANCE,
        LoopWaker.NONE,
        (thread, failure) -> {});
  }

  private static void live(FutureTask<Integer> id) {
    id.run();
    while (!Thread.interrupted()) {
      Thread.onSpinWait();
    }
  }

  private static <T> T onNewThread(Callable<T> action)
      throws ExecutionException, InterruptedException {
    FutureTask<T> task = new FutureTask<>(action);
    new Thread(task).start();
    return task.get();
  }

  private static <T> T onLoop(LoopBody loop, Callable<T> action)
      throws ExecutionException, InterruptedException {
    FutureTask<T> task = new FutureTask<>(action);
    loop.execute(task);
    return task.get();
  }
}
