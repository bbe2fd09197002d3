package io.millrace.samples.bench.peer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Open during the turn of this process. A spinning thread must look at the gate and wait while the
 * gate is closed; otherwise the thread takes the core from the peer under measurement.
 */
public final class SpinGate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition opened = lock.newCondition();
  private volatile boolean open;

  /** Lets the process work. */
  public void open() {
    lock.lock();
    try {
      open = true;
      opened.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Sends the process to sleep. */
  public void close() {
    open = false;
  }

  /** Whether the process has the turn; a volatile read. */
  public boolean isOpen() {
    return open;
  }

  /** Sleeps until open, at most {@code timeout} of {@code unit}. */
  public void awaitOpen(long timeout, TimeUnit unit) throws InterruptedException {
    lock.lock();
    try {
      long remainingNs = unit.toNanos(timeout);
      while (!open && remainingNs > 0) {
        remainingNs = opened.awaitNanos(remainingNs);
      }
    } finally {
      lock.unlock();
    }
  }
}
