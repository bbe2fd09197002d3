package io.millrace.api.bulk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Checks that threads of an executor can use memory, and copies between memory and arrays. */
final class SegmentAccess {
  private static final Thread ANY_OTHER = Thread.ofPlatform().unstarted(() -> {});

  private SegmentAccess() {}

  static MemorySegment requireShared(MemorySegment memory) {
    if (!memory.isAccessibleBy(ANY_OTHER)) {
      throw new IllegalArgumentException(
          "only one thread may access this memory: take it from a shared or automatic arena");
    }
    return memory;
  }

  static void copy(MemorySegment from, long fromAt, MemorySegment to, long toAt, long length)
      throws IOException {
    try {
      MemorySegment.copy(from, fromAt, to, toAt, length);
    } catch (IllegalStateException e) {
      throw new IOException("the memory was released while its transfer was under way", e);
    }
  }
}
