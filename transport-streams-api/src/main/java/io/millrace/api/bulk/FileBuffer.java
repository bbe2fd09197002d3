package io.millrace.api.bulk;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory for one record on its way to or from a file, borrowed while it is needed: an open file
 * through which nothing moves has none. Some that were given back are kept for all files of this
 * process; the memory of others is freed at once, not when the collector comes. Borrowing is for
 * any thread; one thread at a time uses it.
 */
final class FileBuffer {
  /** One record: larger ones were not faster, and take longer to allocate. */
  static final int BYTES = 64 * 1024;

  /** 4 MiB. */
  static final int MOST_KEPT = 64;

  private static final Queue<FileBuffer> KEPT = new ArrayBlockingQueue<>(MOST_KEPT);

  private final Arena arena = Arena.ofShared();
  private final ByteBuffer bytes = arena.allocate(BYTES).asByteBuffer();
  private final AtomicBoolean isTaken = new AtomicBoolean(true);

  private FileBuffer() {}

  /** One that is empty; {@link #giveBack} must follow, once. */
  static FileBuffer take() {
    FileBuffer kept = KEPT.poll();
    if (kept == null) {
      return new FileBuffer();
    }
    kept.isTaken.set(true);
    return kept;
  }

  /** The memory, of {@link #BYTES}. */
  ByteBuffer bytes() {
    return bytes;
  }

  /**
   * It is not used any more.
   *
   * @throws IllegalStateException if it was given back before: nothing has happened
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

  /** Whether the memory is there; for tests. */
  boolean isAllocated() {
    return arena.scope().isAlive();
  }
}
