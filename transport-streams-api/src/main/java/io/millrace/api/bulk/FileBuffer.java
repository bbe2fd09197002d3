package io.millrace.api.bulk;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory for one record on its way to or from a file, borrowed only while needed: an open file at
 * rest has no buffer. The process keeps some returned buffers for all its files, and frees the
 * memory of further buffers at once, without the garbage collector. Any thread may borrow a buffer;
 * one thread at a time uses the buffer.
 */
final class FileBuffer {
  /**
   * The size of one record: larger buffers were not faster in tests, and take longer to allocate.
   */
  static final int BYTES = 64 * 1024;

  /** 4 MiB. */
  static final int MOST_KEPT = 64;

  private static final Queue<FileBuffer> KEPT = new ArrayBlockingQueue<>(MOST_KEPT);

  private final Arena arena = Arena.ofShared();
  private final ByteBuffer bytes = arena.allocate(BYTES).asByteBuffer();
  private final AtomicBoolean isTaken = new AtomicBoolean(true);

  private FileBuffer() {}

  /** Returns an empty buffer; {@link #giveBack} must follow, once. */
  static FileBuffer take() {
    FileBuffer kept = KEPT.poll();
    if (kept == null) {
      return new FileBuffer();
    }
    kept.isTaken.set(true);
    return kept;
  }

  /** Returns the memory, of {@link #BYTES} bytes. */
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
    if (!KEPT.offer(this)) {
      arena.close();
    }
  }

  /** Whether the buffer has memory; for tests. */
  boolean isAllocated() {
    return arena.scope().isAlive();
  }
}
