package io.millrace.api.bulk;

import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Writes memory from its start, never past its end. Allocates a view for each write. */
final class SegmentTarget implements BodyTarget {
  private final MemorySegment memory;
  private long position;

  SegmentTarget(MemorySegment memory) {
    if (memory.isReadOnly()) {
      throw new IllegalArgumentException("this memory is read-only");
    }
    this.memory = SegmentAccess.requireShared(memory);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (length > memory.byteSize() - position) {
      throw new IOException(
          "the transfer has more bytes than the " + memory.byteSize() + " of memory for it");
    }
    SegmentAccess.copy(MemorySegment.ofArray(bytes), offset, memory, position, length);
    position += length;
  }

  @Override
  public void complete() {
    // every write was visible at once
  }

  @Override
  public void abort(Throwable cause) {
    try {
      memory.asSlice(0, position).fill((byte) 0);
    } catch (IllegalStateException e) {
      cause.addSuppressed(e);
    }
  }
}
