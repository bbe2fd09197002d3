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

  /** Returns the address of the entries. */
  public long address() {
    return memory.address();
  }

  /** Returns the capacity in entries. */
  public int capacity() {
    return capacity;
  }

  /** Returns the context of the posted operation; 0 for an operation of a peer. */
  public long context(int index) {
    return memory.get(ValueLayout.JAVA_LONG, offset(index) + FiCqDataEntry.OP_CONTEXT);
  }

  /** Returns the flags of the completed operation, {@code FI_RECV} and the like. */
  public long flags(int index) {
    return memory.get(ValueLayout.JAVA_LONG, offset(index) + FiCqDataEntry.FLAGS);
  }

  /** Returns the number of received bytes; unreliable except for receives. */
  public long bytes(int index) {
    return memory.get(ValueLayout.JAVA_LONG, offset(index) + FiCqDataEntry.LEN);
  }

  /** Returns the immediate value, if the flags report an immediate value. */
  public long immediate(int index) {
    return memory.get(ValueLayout.JAVA_LONG, offset(index) + FiCqDataEntry.DATA);
  }

  /** Writes the entry at the beginning of {@code memory}, as the library does. */
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
