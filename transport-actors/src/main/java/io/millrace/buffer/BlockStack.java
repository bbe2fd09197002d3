package io.millrace.buffer;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The free blocks of one class, the last freed first, because its bytes are still in the cache. Any
 * thread; lock-free, does not allocate. Blocks are counted before they are taken, so that two
 * allocations of several blocks never end up with a part each.
 */
final class BlockStack {
  private static final int NONE = -1;
  private static final long INDEX_MASK = 0xFFFF_FFFFL;

  // Version in the upper half: a block that was taken and put back meanwhile is not taken for
  // still being in its old place.
  private final AtomicLong head = new AtomicLong(NONE & INDEX_MASK);
  private final AtomicInteger available = new AtomicInteger();
  private final AtomicIntegerArray below;

  /** A stack with all of {@code blocks} blocks, which are numbered from 0. */
  BlockStack(int blocks) {
    below = new AtomicIntegerArray(blocks);
    for (int block = blocks - 1; block >= 0; block--) {
      push(block);
    }
  }

  /** Takes as many blocks as the array has room for, or takes no block and answers false. */
  boolean tryPop(int[] into) {
    if (!tryCount(into.length)) {
      return false;
    }
    popCounted(into);
    return true;
  }

  /** Takes blocks that {@link #tryCount} has set aside. */
  void popCounted(int[] into) {
    for (int i = 0; i < into.length; i++) {
      into[i] = popCounted();
    }
  }

  /** Blocks that were set aside are free for everybody. */
  void uncount(int blocks) {
    available.addAndGet(blocks);
  }

  /** Puts a block back. */
  void push(int block) {
    long top;
    do {
      top = head.get();
      below.setPlain(block, (int) top);
    } while (!head.compareAndSet(top, next(top, block)));
    available.incrementAndGet();
  }

  /** The number of free blocks. */
  int available() {
    return available.get();
  }

  /** Sets this number of blocks aside, or sets no block aside and answers false. */
  boolean tryCount(int blocks) {
    int before;
    do {
      before = available.get();
      if (before < blocks) {
        return false;
      }
    } while (!available.compareAndSet(before, before - blocks));
    return true;
  }

  private int popCounted() {
    long top;
    do {
      // Never empty: a block is counted only once the block lies on the stack.
      top = head.get();
    } while (!head.compareAndSet(top, next(top, below.getPlain((int) top))));
    return (int) top;
  }

  private static long next(long top, int block) {
    return (top >>> Integer.SIZE) + 1 << Integer.SIZE | block & INDEX_MASK;
  }
}
