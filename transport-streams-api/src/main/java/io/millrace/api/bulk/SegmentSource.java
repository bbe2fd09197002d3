package io.millrace.api.bulk;

import io.millrace.actor.body.BodySource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Reads memory from its start to its end. Allocates a view for each read. */
final class SegmentSource implements BodySource {
  private final MemorySegment memory;
  private long position;

  SegmentSource(MemorySegment memory) {
    this.memory = SegmentAccess.requireShared(memory);
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
  public void close() {
    // the memory is the application's
  }
}
