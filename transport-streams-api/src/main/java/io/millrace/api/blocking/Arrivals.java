package io.millrace.api.blocking;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The elements of one stream on their way from a stage to a thread that waits. At most {@value
 * #MOST_ROWS} decoded elements wait, each within {@code millrace.transfers.message}: the stage
 * demands no further element meanwhile, so the sender's window stays closed. Elements that came
 * ahead of a failure are taken first. The lock is held for moments; tasks run outside of the lock.
 */
final class Arrivals<T> {
  static final int MOST_ROWS = 16;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<T> rows = new ArrayDeque<>(MOST_ROWS);
  private final Runnable demand;
  private final Runnable cancel;

  /** Whether the stage waits for {@link #demand}. */
  private boolean isHeldBack;

  private boolean isEnded;
  private @Nullable Throwable failure;

  /**
   * Creates an empty queue.
   *
   * @param demand makes the stage demand elements again
   * @param cancel makes the stage cancel the stream
   */
  Arrivals(Runnable demand, Runnable cancel) {
    this.demand = demand;
    this.cancel = cancel;
  }

  /** Stage: adds an element; returns whether the stage is to demand another element. */
  boolean add(T row) {
    lock.lock();
    try {
      if (isEnded) {
        return false;
      }
      rows.add(row);
      changed.signal();
      isHeldBack = rows.size() >= MOST_ROWS;
      return !isHeldBack;
    } finally {
      lock.unlock();
    }
  }

  /** Any thread: no further element comes; the first end counts. */
  void end(@Nullable Throwable cause) {
    lock.lock();
    try {
      if (!isEnded) {
        isEnded = true;
        failure = cause;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the next element.
   *
   * @return null after the last element
   */
  @Nullable T take() throws InterruptedException {
    T row;
    boolean isDemandWanted;
    lock.lock();
    try {
      while (rows.isEmpty() && !isEnded) {
        Waits.requireMayWait();
        changed.await();
      }
      row = rows.poll();
      if (row == null && failure != null) {
        throw Waits.failure(failure);
      }
      isDemandWanted = isHeldBack && rows.size() <= MOST_ROWS / 2;
      if (isDemandWanted) {
        isHeldBack = false;
      }
    } finally {
      lock.unlock();
    }
    if (isDemandWanted) {
      demand.run();
    }
    return row;
  }

  /** Any thread: drops the elements and cancels the stream, unless all elements were taken. */
  void cancel() {
    lock.lock();
    try {
      if (isEnded && rows.isEmpty()) {
        return;
      }
      rows.clear();
      isEnded = true;
      failure = Waits.cancelled("the rows were closed");
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    cancel.run();
  }
}
