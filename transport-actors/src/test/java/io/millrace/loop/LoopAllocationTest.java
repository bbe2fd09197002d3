package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

/** A turn, and the submission of an existing task, allocate no memory. */
class LoopAllocationTest {
  private static final int TURNS = 200_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final LoopBody loop =
      new LoopBody(
          "loop",
          new LoopLimits(64, 8),
          SystemNanoClock.INSTANCE,
          LoopWaker.NONE,
          (thread, failure) -> {});
  private final DrivenLoop caller = new DrivenLoop(loop);
  private int left;

  @Test
  void shouldAllocateNothing() {
    assumeTrue(
        THREADS.isThreadAllocatedMemorySupported(),
        "SKIPPED: this JVM does not count what threads allocate");
    RecordingNothing cycle = new RecordingNothing();
    loop.enter();
    loop.register(cycle);
    loop.exit();
    work();
    work();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    work();
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    // The JVM itself may allocate a little at times, never once per turn.
    assertTrue(allocated < TURNS, allocated + " bytes in " + 2 * TURNS + " turns");
  }

  private static void nothing() {}

  private void work() {
    for (int turn = 0; turn < TURNS; turn++) {
      loop.execute(LoopAllocationTest::nothing);
      caller.runTurn();
    }
    left = TURNS;
    caller.runUntil(() -> --left == 0, loop.nowNs() + Long.MAX_VALUE);
  }

  private static final class RecordingNothing implements DutyCycle {
    @Override
    public int doWork(long nowNs) {
      return 0;
    }

    @Override
    public boolean hasWork() {
      return false;
    }

    @Override
    public long nextDeadlineNs() {
      return NO_DEADLINE_NS;
    }

    @Override
    public void onClose() {}
  }
}
