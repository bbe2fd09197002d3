package io.millrace.api.bulk;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Memory for bytes on their way to or from a file, borrowed only while needed: an open file at rest
 * has no buffer. The process keeps some returned buffers for all its files, and frees the memory of
 * further buffers at once, without the garbage collector. Any thread may borrow a buffer; one
 * thread at a time uses the buffer.
 */
final class FileBuffer {
  /** The size of one record. */
  static final int BYTES = 64 * 1024;

  /**
   * A block of a long file, whose write takes less processor time: the page cache gets larger
   * pieces.
   */
  static final int BLOCK_BYTES = 1024 * 1024;

  /** 4 MiB. */
  static final int MOST_KEPT = 64;

  /** The most blocks of the process at a time, 16 MiB. */
  static final int MOST_BLOCKS = 16;

  private static final int MOST_KEPT_BLOCKS = 2;

  private static final Queue<FileBuffer> KEPT = new ArrayBlockingQueue<>(MOST_KEPT);
  private static final Queue<FileBuffer> KEPT_BLOCKS = new ArrayBlockingQueue<>(MOST_KEPT_BLOCKS);
  private static final Semaphore BLOCKS = new Semaphore(MOST_BLOCKS);

  private final Arena arena = Arena.ofShared();
  private final ByteBuffer bytes;
  private final AtomicBoolean isTaken = new AtomicBoolean(true);

  private FileBuffer(int size) {
    bytes = arena.allocate(size).asByteBuffer();
  }

  /** Returns an empty buffer; {@link #giveBack} must follow, once. */
  static FileBuffer take() {
    return take(KEPT, BYTES);
  }

  /** Returns an empty block, as above; or null if the process has taken all its blocks. */
  static @Nullable FileBuffer tryTakeBlock() {
    if (!BLOCKS.tryAcquire()) {
      return null;
    }
    boolean isDone = false;
    try {
      FileBuffer block = take(KEPT_BLOCKS, BLOCK_BYTES);
      isDone = true;
      return block;
    } finally {
      if (!isDone) {
        BLOCKS.release();
      }
    }
  }

  private static FileBuffer take(Queue<FileBuffer> from, int size) {
    FileBuffer kept = from.poll();
    if (kept == null) {
      return new FileBuffer(size);
    }
    kept.isTaken.set(true);
    return kept;
  }

  /** Whether this is one of the process's few blocks. */
  boolean isBlock() {
    return bytes.capacity() == BLOCK_BYTES;
  }

  /** Returns the memory, of {@link #BYTES} or {@link #BLOCK_BYTES} bytes. */
  ByteBuffer bytes() {
    return bytes;
  }

  /**
   * Gives the buffer back after use.
   *
   * @throws IllegalStateException if the buffer was given back before; the call then has no effect
   */
  void giveBack() {
    if (!isTaken.compareAndSet(true, false)) {
      throw new IllegalStateException("a buffer was given back twice");
    }
    bytes.clear();
    if (!(isBlock() ? KEPT_BLOCKS : KEPT).offer(this)) {
      arena.close();
    }
    if (isBlock()) {
      BLOCKS.release();
    }
  }

  /** Whether the buffer has memory; for tests. */
  boolean isAllocated() {
    return arena.scope().isAlive();
  }
}
