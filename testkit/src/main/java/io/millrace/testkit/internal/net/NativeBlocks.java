package io.millrace.testkit.internal.net;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * Native memory for buffers, in blocks of a multiple of {@value #STEP_BYTES} bytes. What endpoints
 * give back is kept until the network ends, so that whoever writes into a buffer of a closed
 * endpoint spoils a simulation and not the process.
 */
final class NativeBlocks implements AutoCloseable {
  private static final int STEP_BYTES = 1 << 11;

  private final List<ByteBuffer> blocks = new ArrayList<>();

  /** Blocks that nobody has, by their size. */
  private final Int2ObjectHashMap<ArrayDeque<ByteBuffer>> free = new Int2ObjectHashMap<>();

  private int inUse;
  private boolean closed;

  /** A block of at least so many bytes. */
  ByteBuffer acquire(int bytes) {
    if (closed) {
      throw new IllegalStateException("the network is closed");
    }
    int size = (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    ByteBuffer block = free.computeIfAbsent(size, each -> new ArrayDeque<>()).pollLast();
    if (block == null) {
      block = ByteBuffer.allocateDirect(size);
      blocks.add(block);
    }
    inUse++;
    return block;
  }

  void release(ByteBuffer block) {
    free.computeIfAbsent(block.capacity(), each -> new ArrayDeque<>()).addLast(block);
    inUse--;
  }

  /** Blocks that somebody has. */
  int inUse() {
    return inUse;
  }

  /** Blocks there are, free ones included. */
  int size() {
    return blocks.size();
  }

  @Override
  public void close() {
    closed = true;
    inUse = 0;
    free.clear();
    blocks.forEach(BufferUtil::free);
    blocks.clear();
  }
}
