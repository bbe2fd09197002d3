package io.millrace.buffer;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The part of a registry's memory that a user among several may have at once; made by {@link
 * BufferRegistry#share} and {@link BufferRegistry#shareOfLargest}. A waiter beyond its share stands
 * in no other waiter's way. Whole blocks count. Any thread.
 */
public final class BufferShare {
  private final MemoryQueue queue;
  private final int firstClass;
  private final ByteBudget budget;
  private final AtomicInteger parkedCount = new AtomicInteger();
  // Only the thread that serves the queue touches this line.
  private final WaitLine parked = new WaitLine();

  /**
   * Creates a share with no bytes in use.
   *
   * @param firstClass blocks of smaller classes are not counted
   */
  BufferShare(MemoryQueue queue, int firstClass, long mostBytes) {
    this.queue = queue;
    this.firstClass = firstClass;
    budget = new ByteBudget(mostBytes);
  }

  /** The counted bytes of the blocks that the share has now. */
  public long usedBytes() {
    return budget.usedBytes();
  }

  /** Whether no waiter waits for bytes of the share. */
  boolean isOpen() {
    return parkedCount.get() == 0;
  }

  boolean reserve(int classIndex, long bytes) {
    return classIndex < firstClass || budget.reserve(bytes);
  }

  /** The queue is to be served when this has returned. */
  void giveBack(int classIndex, long bytes) {
    if (classIndex < firstClass) {
      return;
    }
    budget.giveBack(bytes);
    if (parkedCount.get() > 0) {
      queue.onRelieved(this);
    }
  }

  /**
   * The wait stays here until the share has fewer bytes in use; the wait goes first, if its turn
   * had come.
   */
  void park(MemoryWaiter.Wait wait) {
    if (wait.isReturned()) {
      wait.setReturned(false);
      parked.addFirst(wait);
    } else {
      parked.addLast(wait);
    }
    parkedCount.incrementAndGet();
  }

  /** The next wait of the line, or null. */
  MemoryWaiter.@Nullable Wait unpark() {
    MemoryWaiter.Wait wait = parked.poll();
    if (wait != null) {
      parkedCount.decrementAndGet();
    }
    return wait;
  }

  /** Removes an ended wait; false if the wait is not in this line. */
  boolean remove(MemoryWaiter.Wait wait) {
    boolean isHere = wait.line() == parked;
    if (isHere) {
      parked.remove(wait);
      parkedCount.decrementAndGet();
    }
    return isHere;
  }
}
