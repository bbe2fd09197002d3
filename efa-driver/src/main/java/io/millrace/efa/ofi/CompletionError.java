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

  /** Where the entry lies. */
  public long address() {
    return memory.address();
  }

  /** Zeroes the entry: the library reads some of its fields before it writes it. */
  public void clear() {
    memory.fill((byte) 0);
  }

  /** The context of the operation; 0 when the endpoint as a whole failed. */
  public long context() {
    return memory.get(ValueLayout.JAVA_LONG, FiCqErrEntry.OP_CONTEXT);
  }

  /** What failed, {@code FI_RECV} and the like. */
  public long flags() {
    return memory.get(ValueLayout.JAVA_LONG, FiCqErrEntry.FLAGS);
  }

  /** The error number, positive: some providers report it negated. */
  public int errno() {
    return Math.abs(memory.get(ValueLayout.JAVA_INT, FiCqErrEntry.ERR));
  }

  /** The provider's own error number. */
  public int providerErrno() {
    return memory.get(ValueLayout.JAVA_INT, FiCqErrEntry.PROV_ERRNO);
  }
}
