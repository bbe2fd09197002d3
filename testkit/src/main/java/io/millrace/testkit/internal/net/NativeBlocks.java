package io.millrace.testkit.internal.net;

import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Native memory for buffers of endpoints, in blocks of a multiple of {@value #STEP_BYTES} bytes.
 * Returned blocks are kept until the network or fabric ends. So a write into a buffer of a closed
 * endpoint spoils a simulation and not the process.
 */
public final class NativeBlocks implements AutoCloseable {
  private static final int STEP_BYTES = 1 << 11;

  private final Arena memory = Arena.ofShared();

  /** Free blocks, by their size. */
  private final Int2ObjectHashMap<ArrayDeque<SegmentBuffer>> free = new Int2ObjectHashMap<>();

  private int inUse;
  private boolean closed;

  /** Returns a block of at least this many bytes. */
  public SegmentBuffer acquire(int bytes) {
    if (closed) {
      throw new IllegalStateException("no memory is given out any more");
    }
    int size = (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    SegmentBuffer block = free.computeIfAbsent(size, each -> new ArrayDeque<>()).pollLast();
    if (block == null) {
      block = new SegmentBuffer(memory.allocate(size, Long.BYTES).asByteBuffer());
    }
    inUse++;
    return block;
  }

  /** Gives a block back. */
  public void release(SegmentBuffer block) {
    free.computeIfAbsent(block.capacity(), each -> new ArrayDeque<>()).addLast(block);
    inUse--;
  }

  /** Number of blocks in use. */
  public int inUse() {
    return inUse;
  }

  /** Frees all blocks: no block may be touched any more. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      inUse = 0;
      free.clear();
      memory.close();
    }
  }
}
