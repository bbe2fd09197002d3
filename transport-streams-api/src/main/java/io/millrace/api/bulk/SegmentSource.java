package io.millrace.api.bulk;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.LentBytes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads memory from its start to its end. Allocates a view for each read; lends the bytes of an
 * array without a copy.
 */
final class SegmentSource implements BodySource {
  private final MemorySegment memory;
  private final byte @Nullable [] array;
  private final LentBytes lent = new LentBytes();
  private long position;

  SegmentSource(MemorySegment memory) {
    this.memory = SegmentAccess.requireShared(memory);
    this.array = memory.heapBase().orElse(null) instanceof byte[] bytes ? bytes : null;
  }

  @Override
  public long lengthBytes() {
    return memory.byteSize();
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    long left = memory.byteSize() - position;
    if (left == 0) {
      return -1;
    }
    int count = (int) Math.min(length, left);
    SegmentAccess.copy(memory, position, MemorySegment.ofArray(into), offset, count);
    position += count;
    return count;
  }

  @Override
  public @Nullable LentBytes lend(int most) {
    byte[] bytes = array;
    int count = (int) Math.min(most, memory.byteSize() - position);
    if (bytes == null || count == 0) {
      return null;
    }
    lent.set(bytes, (int) (memory.address() + position), count);
    position += count;
    return lent;
  }

  @Override
  public void close() {
    // the memory belongs to the application
  }
}
