package io.millrace.efa.ofi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads and writes structures allocated by libfabric, by absolute address. */
final class NativeMemory {
  @SuppressWarnings("restricted") // only the library knows the addresses of its own objects
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private NativeMemory() {}

  static long readLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG, address);
  }

  static int readInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT, address);
  }

  static void writeLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG, address, value);
  }

  static void writeInt(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT, address, value);
  }

  /** Returns the C string at {@code address}, "" for a null pointer. */
  static String readString(long address) {
    return address == 0 ? "" : ALL.getString(address);
  }

  /**
   * Returns the function pointer at {@code offset} of the operations table at {@code table}, or
   * NULL when the table is absent or too short for the pointer. The first word of a table is its
   * size.
   */
  static MemorySegment function(long table, int offset) {
    if (table == 0 || readLong(table) < offset + Long.BYTES) {
      return MemorySegment.NULL;
    }
    return MemorySegment.ofAddress(readLong(table + offset));
  }
}
