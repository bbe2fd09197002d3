package io.millrace.efa.ofi;

import io.millrace.efa.ofi.FabricLayouts.FiCqErrEntry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/** Room for one failed completion: a {@code struct fi_cq_err_entry}, which grows with versions. */
public final class CompletionError {
  private static final int BYTES = 256;

  private final MemorySegment memory;

  /** Allocates the room. */
  public CompletionError(SegmentAllocator allocator) {
    this.memory = allocator.allocate(BYTES, Long.BYTES);
  }

  /** Returns the address of the entry. */
  public long address() {
    return memory.address();
  }

  /** Zeroes the entry: the library reads a few fields before writing the entry. */
  public void clear() {
    memory.fill((byte) 0);
  }

  /** Returns the context of the operation; 0 when the endpoint as a whole failed. */
  public long context() {
    return memory.get(ValueLayout.JAVA_LONG, FiCqErrEntry.OP_CONTEXT);
  }

  /** Returns the flags of the failed operation, {@code FI_RECV} and the like. */
  public long flags() {
    return memory.get(ValueLayout.JAVA_LONG, FiCqErrEntry.FLAGS);
  }

  /** Returns the error number, always positive: a few providers report negated numbers. */
  public int errno() {
    return Math.abs(memory.get(ValueLayout.JAVA_INT, FiCqErrEntry.ERR));
  }

  /** Returns the provider's own error number. */
  public int providerErrno() {
    return memory.get(ValueLayout.JAVA_INT, FiCqErrEntry.PROV_ERRNO);
  }
}
