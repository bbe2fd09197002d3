package io.millrace.buffer;

import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * Heap blocks in which a worker hands bytes to application threads, so that the worker allocates
 * nothing in the steady state. The worker acquires; any thread releases. Bounded: at most {@code
 * blocks} free blocks are kept, and while none is free a new one is made.
 */
public final class BlockPool {
  private final int blockBytes;
  private final ManyToOneConcurrentArrayQueue<byte[]> free;

  /** A pool that keeps at most {@code blocks} free blocks of {@code blockBytes} bytes. */
  public BlockPool(int blockBytes, int blocks) {
    this.blockBytes = blockBytes;
    free = new ManyToOneConcurrentArrayQueue<>(blocks);
  }

  /** A block of at least {@code length} bytes with any content. Worker's thread only. */
  public byte[] acquire(int length) {
    if (length > blockBytes) {
      return new byte[length];
    }
    byte[] block = free.poll();
    return block == null ? new byte[blockBytes] : block;
  }

  /** Gives a block back; one of another size is left to the collector. Any thread. */
  public void release(byte[] block) {
    if (block.length == blockBytes) {
      free.offer(block);
    }
  }
}
