package io.millrace.testkit.internal.net;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;

/**
 * Native memory for buffers, in blocks of one size. What endpoints give back is kept until the
 * network ends, so that whoever writes into a buffer of a closed endpoint spoils a simulation and
 * not the process.
 */
final class NativeBlocks implements AutoCloseable {
  /** Room for any datagram and any train, bytes. */
  static final int BLOCK_BYTES = 1 << 16;

  private final List<ByteBuffer> blocks = new ArrayList<>();
  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
  private boolean closed;

  ByteBuffer acquire() {
    if (closed) {
      throw new IllegalStateException("the network is closed");
    }
    ByteBuffer block = free.pollLast();
    if (block == null) {
      block = ByteBuffer.allocateDirect(BLOCK_BYTES);
      blocks.add(block);
    }
    return block;
  }

  void release(ByteBuffer block) {
    free.addLast(block);
  }

  /** Blocks that somebody has. */
  int inUse() {
    return blocks.size() - free.size();
  }

  /** Blocks there are, free ones included. */
  int size() {
    return blocks.size();
  }

  @Override
  public void close() {
    closed = true;
    free.clear();
    blocks.forEach(BufferUtil::free);
    blocks.clear();
  }
}
