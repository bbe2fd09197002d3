package io.millrace.buffer;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What one of several users may have of a registry's memory at once; made by {@link
 * BufferRegistry#share} and {@link BufferRegistry#shareOfLargest}. One who waits beyond it stands
 * in nobody else's way. Whole blocks count. Any thread.
 */
public final class BufferShare {
  private final MemoryQueue queue;
  private final int firstClass;
  private final ByteBudget budget;
  private final AtomicInteger parkedCount = new AtomicInteger();
  // Whoever serves the queue has it.
  private final WaitLine parked = new WaitLine();

  /**
   * None of it in use.
   *
   * @param firstClass blocks of smaller classes are not counted
   */
  BufferShare(MemoryQueue queue, int firstClass, long mostBytes) {
    this.queue = queue;
    this.firstClass = firstClass;
    budget = new ByteBudget(mostBytes);
  }

  /** Bytes of the blocks that it has now, of those that are counted. */
  public long usedBytes() {
    return budget.usedBytes();
  }

  /** Whether nobody waits until it is smaller. */
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

  /** It waits until there is less of it in use; first, if its turn had come. */
  void park(MemoryWaiter.Wait wait) {
    if (wait.isReturned()) {
      wait.setReturned(false);
      parked.addFirst(wait);
    } else {
      parked.addLast(wait);
    }
    parkedCount.incrementAndGet();
  }

  /** The next that waited, or null. */
  MemoryWaiter.@Nullable Wait unpark() {
    MemoryWaiter.Wait wait = parked.poll();
    if (wait != null) {
      parkedCount.decrementAndGet();
    }
    return wait;
  }

  /** Takes one that does not wait any more; false if it is not here. */
  boolean remove(MemoryWaiter.Wait wait) {
    boolean isHere = wait.line() == parked;
    if (isHere) {
      parked.remove(wait);
      parkedCount.decrementAndGet();
    }
    return isHere;
  }
}
