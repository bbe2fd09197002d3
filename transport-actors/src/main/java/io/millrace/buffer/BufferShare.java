package io.millrace.buffer;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one of several users may have of a registry's memory at once; made by {@link
 * BufferRegistry#share}. One who waits beyond it stands in nobody else's way. Whole blocks count.
 * Any thread.
 */
public final class BufferShare {
  private final MemoryQueue queue;
  private final long mostBytes;
  private final AtomicLong usedBytes = new AtomicLong();
  private final AtomicInteger parkedCount = new AtomicInteger();
  // Whoever serves the queue has it.
  private final ArrayDeque<MemoryWaiter.Wait> parked = new ArrayDeque<>();

  BufferShare(MemoryQueue queue, long mostBytes) {
    this.queue = queue;
    this.mostBytes = mostBytes;
  }

  /** Bytes of the blocks that it has now. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Whether nobody waits until it is smaller. */
  boolean isOpen() {
    return parkedCount.get() == 0;
  }

  boolean reserve(long bytes) {
    long used = usedBytes.get();
    while (bytes <= mostBytes - used) {
      long seen = usedBytes.compareAndExchange(used, used + bytes);
      if (seen == used) {
        return true;
      }
      used = seen;
    }
    return false;
  }

  /** The queue is to be served when this has returned. */
  void giveBack(long bytes) {
    usedBytes.addAndGet(-bytes);
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
    MemoryWaiter.Wait wait = parked.pollFirst();
    if (wait != null) {
      parkedCount.decrementAndGet();
    }
    return wait;
  }
}
