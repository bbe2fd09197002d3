package io.millrace.testkit.internal.fabric;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Native memory for messages, in blocks of one size. What endpoints give back is kept until the
 * fabric ends, so that whoever writes into a buffer of a closed endpoint spoils a simulation and
 * not the process.
 */
final class FabricBlocks implements AutoCloseable {
  static final int BLOCK_BYTES = 1 << 16;

  private static final long ALIGNMENT = 64;

  private final Arena arena = Arena.ofConfined();
  private final ArrayDeque<UnsafeBuffer> free = new ArrayDeque<>();
  private int inUse;

  UnsafeBuffer acquire() {
    inUse++;
    UnsafeBuffer block = free.pollLast();
    return block != null
        ? block
        : new UnsafeBuffer(arena.allocate(BLOCK_BYTES, ALIGNMENT).asByteBuffer());
  }

  void release(UnsafeBuffer block) {
    inUse--;
    free.addLast(block);
  }

  int inUse() {
    return inUse;
  }

  @Override
  public void close() {
    free.clear();
    arena.close();
  }
}
