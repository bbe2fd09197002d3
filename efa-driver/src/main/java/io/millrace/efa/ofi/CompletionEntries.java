package io.millrace.efa.ofi;

import io.millrace.efa.ofi.FabricLayouts.FiCqDataEntry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/** Room for a batch of completions: an array of {@code struct fi_cq_data_entry}. */
public final class CompletionEntries {
  /** Bytes of one entry. */
  public static final int ENTRY_BYTES = FiCqDataEntry.SIZEOF;

  private final MemorySegment memory;
  private final int capacity;

  /** Allocates room for {@code capacity} entries. */
  public CompletionEntries(SegmentAllocator allocator, int capacity) {
    this.memory = allocator.allocate((long) capacity * FiCqDataEntry.SIZEOF, Long.BYTES);
    this.capacity = capacity;
  }

  /** Where the entries lie. */
  public long address() {
    return memory.address();
  }

  /** Entries there is room for. */
  public int capacity() {
    return capacity;
  }

  /** The context that the operation was posted with; 0 for what a peer initiated. */
  public long context(int index) {
    return memory.get(ValueLayout.JAVA_LONG, offset(index) + FiCqDataEntry.OP_CONTEXT);
  }

  /** What completed, {@code FI_RECV} and the like. */
  public long flags(int index) {
    return memory.get(ValueLayout.JAVA_LONG, offset(index) + FiCqDataEntry.FLAGS);
  }

  /** Bytes received; unreliable for anything but receives. */
  public long bytes(int index) {
    return memory.get(ValueLayout.JAVA_LONG, offset(index) + FiCqDataEntry.LEN);
  }

  /** The immediate value, if the flags say that there is one. */
  public long immediate(int index) {
    return memory.get(ValueLayout.JAVA_LONG, offset(index) + FiCqDataEntry.DATA);
  }

  /** Writes the entry that {@code memory} begins with, as the library does. */
  public static void write(
      MemorySegment memory, long context, long flags, long bytes, long immediate) {
    memory.set(ValueLayout.JAVA_LONG, FiCqDataEntry.OP_CONTEXT, context);
    memory.set(ValueLayout.JAVA_LONG, FiCqDataEntry.FLAGS, flags);
    memory.set(ValueLayout.JAVA_LONG, FiCqDataEntry.LEN, bytes);
    memory.set(ValueLayout.JAVA_LONG, FiCqDataEntry.DATA, immediate);
  }

  private static long offset(int index) {
    return (long) index * FiCqDataEntry.SIZEOF;
  }
}
