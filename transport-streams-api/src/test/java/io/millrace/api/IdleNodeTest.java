package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A node without calls. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class IdleNodeTest {
  /** Longer than each period of a resting node's own work. */
  private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(300);

  private static final int MOST_RESTS = 50;

  /**
   * The work of a node after its start ends within a few rest periods; periodic work never ends.
   */
  @Test
  void shouldComeToRest() {
    try (Transport node = Transport.start(TwoNodes.small("").withDriver("udp"))) {
      boolean isAtRest = false;
      for (int i = 0; i < MOST_RESTS && !isAtRest; i++) {
        long before = sleeps(node);
        rest();
        isAtRest = sleeps(node) == before;
      }
      assertTrue(isAtRest, "something wakes its worker up, over and over");
    }
  }

  /** Returns the number of sleeps: a worker sleeps once more after each wake-up. */
  private static long sleeps(Transport node) {
    return node.snapshot().workers().getFirst().parks();
  }

  private static void rest() {
    long endNs = System.nanoTime() + REST_NS;
    while (System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(endNs - System.nanoTime());
    }
  }
}
