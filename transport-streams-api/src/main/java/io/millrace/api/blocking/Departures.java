package io.millrace.api.blocking;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The elements of one stream on their way from a thread to a stage. At most {@value #MOST_ROWS}
 * elements wait for the receiver's demand; a thread with a further element waits. The lock is held
 * for moments; tasks run outside of the lock.
 */
final class Departures<T> {
  static final int MOST_ROWS = 16;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<T> rows = new ArrayDeque<>(MOST_ROWS);
  private final Runnable wake;

  /** Whether the receiver has a demand without an element. */
  private boolean isDemanded;

  private boolean isOver;
  private @Nullable Throwable failure;
  private boolean isCancelled;
  private @Nullable Throwable refusal;

  /**
   * Creates an empty queue.
   *
   * @param wake makes the stage look for elements, or for the end
   */
  Departures(Runnable wake) {
    this.wake = wake;
  }

  /**
   * Adds an element, and waits for room before.
   *
   * @return false if the receiver wants no more elements
   */
  boolean put(T row) throws InterruptedException {
    boolean isWakeWanted;
    lock.lock();
    try {
      while (rows.size() >= MOST_ROWS && !isCancelled && !isOver) {
        Waits.requireMayWait();
        changed.await();
      }
      if (isOver) {
        throw new IllegalStateException("the sender has ended the stream");
      }
      if (refusal != null) {
        throw Waits.failure(refusal);
      }
      if (isCancelled) {
        return false;
      }
      rows.add(row);
      isWakeWanted = isDemanded;
      isDemanded = false;
    } finally {
      lock.unlock();
    }
    if (isWakeWanted) {
      wake.run();
    }
    return true;
  }

  /**
   * Any thread: the sender has no further element; the first end counts. A failure overtakes the
   * elements.
   */
  void end(@Nullable Throwable cause) {
    lock.lock();
    try {
      if (isOver || isCancelled) {
        return;
      }
      isOver = true;
      failure = cause;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    wake.run();
  }

  /** Stage: the next element; null without an element, and the stage is woken later. */
  @Nullable T poll() {
    lock.lock();
    try {
      T row = rows.poll();
      isDemanded = row == null;
      if (rows.size() == MOST_ROWS / 2) {
        changed.signalAll();
      }
      return row;
    } finally {
      lock.unlock();
    }
  }

  /** Stage: whether no further element comes. */
  boolean isDrained() {
    lock.lock();
    try {
      return isOver && rows.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Stage: the sender's failure, or null. */
  @Nullable Throwable failure() {
    lock.lock();
    try {
      return failure;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stage: takes no more elements; the first reason counts.
   *
   * @param cause the failure of the stream, or null if the receiver wants no more elements
   */
  void cancel(@Nullable Throwable cause) {
    lock.lock();
    try {
      if (!isCancelled) {
        isCancelled = true;
        refusal = cause;
        rows.clear();
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the stage takes no more elements. */
  boolean isCancelled() {
    lock.lock();
    try {
      return isCancelled;
    } finally {
      lock.unlock();
    }
  }
}
