package io.millrace.efa;

import io.millrace.efa.ofi.FabricLayouts.FiContext2;
import java.lang.foreign.SegmentAllocator;

/**
 * Operation contexts: for each slot 64 bytes for the provider's use while the slot's operation is
 * under way, and the lookup from an address to its slot.
 */
final class ContextArea {
  private final long base;
  private final int slots;

  ContextArea(SegmentAllocator allocator, int slots) {
    this.base = allocator.allocate((long) slots * FiContext2.SIZEOF, FiContext2.SIZEOF).address();
    this.slots = slots;
  }

  int slots() {
    return slots;
  }

  long address(int slot) {
    return base + (long) slot * FiContext2.SIZEOF;
  }

  /** Returns the slot of the context at {@code address}, or -1 for a foreign address. */
  int slot(long address) {
    long offset = address - base;
    if (offset < 0 || offset >= (long) slots * FiContext2.SIZEOF) {
      return -1;
    }
    return offset % FiContext2.SIZEOF == 0 ? (int) (offset / FiContext2.SIZEOF) : -1;
  }
}
