package io.millrace.efa.ofi;

import io.millrace.efa.ofi.FabricLayouts.FiMsgRma;
import io.millrace.efa.ofi.FabricLayouts.FiRmaIov;
import io.millrace.efa.ofi.FabricLayouts.Iovec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/**
 * Arguments of {@code fi_writemsg}: a {@code struct fi_msg_rma} with one local and one remote
 * vector. Filled before each post; the library copies the needed fields.
 */
public final class WriteMessage {
  private static final int LOCAL = FiMsgRma.SIZEOF;
  private static final int REMOTE = LOCAL + Iovec.SIZEOF;
  private static final int DESCRIPTOR = REMOTE + FiRmaIov.SIZEOF;

  private final MemorySegment memory;

  /** Allocates the structure and links its parts. */
  public WriteMessage(SegmentAllocator allocator) {
    this.memory = allocator.allocate(DESCRIPTOR + Long.BYTES, Long.BYTES);
    set(FiMsgRma.MSG_IOV, memory.address() + LOCAL);
    set(FiMsgRma.DESC, memory.address() + DESCRIPTOR);
    set(FiMsgRma.IOV_COUNT, 1);
    set(FiMsgRma.RMA_IOV, memory.address() + REMOTE);
    set(FiMsgRma.RMA_IOV_COUNT, 1);
  }

  /** Returns the address of the structure. */
  public long address() {
    return memory.address();
  }

  /** Sets the source of the write: the same number of bytes counts at the target. */
  public WriteMessage source(long address, long bytes, long descriptor) {
    set(LOCAL + Iovec.IOV_BASE, address);
    set(LOCAL + Iovec.IOV_LEN, bytes);
    set(REMOTE + FiRmaIov.LEN, bytes);
    set(DESCRIPTOR, descriptor);
    return this;
  }

  /** Sets the target of the write. */
  public WriteMessage target(long destination, long remoteAddress, long remoteKey) {
    set(FiMsgRma.ADDR, destination);
    set(REMOTE + FiRmaIov.ADDR, remoteAddress);
    set(REMOTE + FiRmaIov.KEY, remoteKey);
    return this;
  }

  /**
   * Sets the operation's context and its immediate value, which counts only with the flag for
   * immediate values.
   */
  public WriteMessage operation(long context, long immediate) {
    set(FiMsgRma.CONTEXT, context);
    set(FiMsgRma.DATA, immediate);
    return this;
  }

  private void set(int offset, long value) {
    memory.set(ValueLayout.JAVA_LONG, offset, value);
  }
}
