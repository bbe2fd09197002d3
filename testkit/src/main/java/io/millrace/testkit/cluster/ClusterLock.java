package io.millrace.testkit.cluster;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The only lock of a cluster: guards phases, barriers and values, and wakes threads that wait for a
 * change.
 */
final class ClusterLock {
  /** Changes guarded state. */
  synchronized void change(Runnable change) {
    change.run();
    notifyAll();
  }

  /** Reads guarded state. */
  synchronized <T> T read(Supplier<T> guarded) {
    return guarded.get();
  }

  /**
   * Waits for a condition of guarded state; false if the condition did not come to hold in time.
   */
  synchronized boolean await(BooleanSupplier condition, Duration limit)
      throws InterruptedException {
    long startNs = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long leftNs = limit.toNanos() - (System.nanoTime() - startNs);
      if (leftNs <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, leftNs);
    }
    return true;
  }
}
