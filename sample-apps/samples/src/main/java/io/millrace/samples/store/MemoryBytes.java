package io.millrace.samples.store;

import io.millrace.api.bulk.BulkSource;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.LentBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Main memory outside of the heap. The memory is freed after its release and after the end of the
 * last reading source, so that an eviction never takes bytes from under a reader.
 */
final class MemoryBytes implements ReplicaBytes {
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  /** The number of users: the replica itself until its release, and each open source. */
  private final AtomicInteger users = new AtomicInteger(1);

  /**
   * Allocates.
   *
   * @throws OutOfMemoryError if this process may have no more memory
   */
  MemoryBytes(long sizeBytes) {
    try {
      memory = arena.allocate(sizeBytes);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw e;
    }
  }

  @Override
  public MemoryKind kind() {
    return MemoryKind.RAM;
  }

  @Override
  public void write(long at, byte[] bytes, int offset, int length) {
    MemorySegment.copy(MemorySegment.ofArray(bytes), offset, memory, at, length);
  }

  @Override
  public void complete(Manifest manifest) {
    // memory is complete as soon as all bytes are written
  }

  @Override
  public BodySource source(long offset, long length) throws IOException {
    if (users.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
      throw StoreException.gone();
    }
    return new Reading(BulkSource.of(memory.asSlice(offset, length)));
  }

  @Override
  public void release() {
    if (users.decrementAndGet() == 0) {
      arena.close();
    }
  }

  /** Keeps the memory until the source is closed. */
  private final class Reading implements BodySource {
    private final BodySource from;
    private final AtomicBoolean isOpen = new AtomicBoolean(true);

    Reading(BodySource from) {
      this.from = from;
    }

    @Override
    public long lengthBytes() {
      return from.lengthBytes();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return from.read(into, offset, length);
    }

    @Override
    public @Nullable LentBytes lend(int most) throws IOException {
      return from.lend(most);
    }

    @Override
    public void close() {
      if (isOpen.compareAndSet(true, false)) {
        from.close();
        MemoryBytes.this.release();
      }
    }
  }
}
