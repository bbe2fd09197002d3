package io.millrace.buffer;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * Heap blocks in which a worker hands bytes to application threads, so that the worker allocates
 * nothing in the steady state. The worker acquires; any thread releases. Of each size at most
 * {@code blocks} free ones are kept, and while none is free a new one is made. Small sizes matter:
 * a call that waits for its answer keeps its block.
 */
public final class BlockPool {
  private final int[] sizes;
  private final List<ManyToOneConcurrentArrayQueue<byte[]>> free = new ArrayList<>();

  /**
   * A pool that keeps at most {@code blocks} free blocks of each size.
   *
   * @param sizes bytes, the smallest first
   */
  public BlockPool(int blocks, int... sizes) {
    this.sizes = sizes.clone();
    for (int i = 0; i < sizes.length; i++) {
      if (i > 0 && sizes[i] <= sizes[i - 1]) {
        throw new IllegalArgumentException("a size of " + sizes[i] + " bytes is not larger");
      }
      free.add(new ManyToOneConcurrentArrayQueue<>(blocks));
    }
  }

  /** A block of at least {@code length} bytes with any content. Worker's thread only. */
  public byte[] acquire(int length) {
    for (int i = 0; i < sizes.length; i++) {
      if (length <= sizes[i]) {
        byte[] block = free.get(i).poll();
        return block == null ? new byte[sizes[i]] : block;
      }
    }
    return new byte[length];
  }

  /** Gives a block back; one of another size is left to the collector. Any thread. */
  public void release(byte[] block) {
    for (int i = 0; i < sizes.length; i++) {
      if (block.length == sizes[i]) {
        free.get(i).offer(block);
      }
    }
  }
}
