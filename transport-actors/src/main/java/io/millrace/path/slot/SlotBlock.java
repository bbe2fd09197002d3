package io.millrace.path.slot;

import io.millrace.driver.DriverException;
import io.millrace.driver.MappedMemory;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The slots of one path: memory that the peer writes packets into, and memory that packets to the
 * peer are written from. After its path the block rests, because writes may still land, and then
 * serves another path under another key. Worker's thread only.
 */
final class SlotBlock {
  private static final int SLOT_BYTES = Immediate.MOST_BYTES;
  private static final long PAGE_BYTES = 4_096;

  private final RemoteMemory remote;
  private final int index;
  private final MemorySegment inbound;
  private final MemorySegment outbound;
  private final SegmentBuffer in;
  private final SegmentBuffer out;
  private final boolean[] isUnderWay;
  private @Nullable MemoryRegion target;
  private @Nullable MemoryRegion source;
  private @Nullable PathSlots holder;
  private int writesUnderWay;
  private long restsUntilNs;

  /**
   * Takes the memory of the block, which is freed by the collector: the NIC may touch it as long as
   * the endpoint is open.
   *
   * @throws OutOfMemoryError if the system has no more
   */
  SlotBlock(RemoteMemory remote, int index, int slots, long nowNs) {
    this.remote = remote;
    this.index = index;
    restsUntilNs = nowNs;
    int bytes = slots * SLOT_BYTES;
    MemorySegment memory = MappedMemory.map(Arena.ofAuto(), 2L * bytes, PAGE_BYTES);
    inbound = memory.asSlice(0, bytes);
    outbound = memory.asSlice(bytes, bytes);
    in = new SegmentBuffer(inbound.address(), bytes);
    out = new SegmentBuffer(outbound.address(), bytes);
    isUnderWay = new boolean[slots];
  }

  /** The number of the block's first slot at the worker. */
  int firstSlot() {
    return index * isUnderWay.length;
  }

  int slots() {
    return isUnderWay.length;
  }

  /** Whether another path may have the block now. */
  boolean isFree(long nowNs) {
    return holder == null
        && target == null
        && source == null
        && !hasWrites()
        && nowNs - restsUntilNs >= 0;
  }

  /** One-sided operations of the block's endpoint. */
  RemoteMemory remote() {
    return remote;
  }

  /** Gives the block to a path, registered under a new key. */
  void open(PathSlots path) throws DriverException {
    target = remote.register(inbound, true);
    source = remote.register(outbound, false);
    holder = path;
  }

  /** The path of the block; null while the block rests or is free. */
  @Nullable PathSlots holder() {
    return holder;
  }

  /** The registration of the memory for packets of the peer. */
  MemoryRegion target() {
    return present(target);
  }

  /** The registration of the memory for packets to the peer. */
  MemoryRegion source() {
    return present(source);
  }

  private static MemoryRegion present(@Nullable MemoryRegion region) {
    if (region == null) {
      throw new IllegalStateException("the slots are not registered");
    }
    return region;
  }

  /** Copies the packet in a slot, which the peer may change at any time. */
  void copyIn(int slot, SegmentBuffer to, int length) {
    in.getBytes((slot - firstSlot()) * SLOT_BYTES, to, 0, length);
  }

  /** Puts a packet to the peer into a slot of this block; returns the place in {@link #source}. */
  int copyOut(int slot, SegmentBuffer from, int length) {
    int at = slot * SLOT_BYTES;
    out.putBytes(at, from, 0, length);
    return at;
  }

  /** Whether the driver is not done with writes from the block. */
  boolean hasWrites() {
    return writesUnderWay > 0;
  }

  boolean isUnderWay(int slot) {
    return isUnderWay[slot];
  }

  void onPosted(int slot) {
    isUnderWay[slot] = true;
    writesUnderWay++;
  }

  /** The driver is done with the write from a slot. */
  void onEnded(int slot) {
    if (!isUnderWay[slot]) {
      throw new IllegalStateException("a completion of no write from slot " + slot);
    }
    isUnderWay[slot] = false;
    writesUnderWay--;
  }

  /** The path is over: {@link #settle} ends the registrations. */
  void close() {
    holder = null;
  }

  /**
   * Ends the registrations of a block without a path, as far as possible now.
   *
   * @param untilNs the end of the block's rest if the peer may write nothing more from now on
   * @throws DriverException if a registration cannot be ended, which keeps the block from use
   */
  void settle(long untilNs) throws DriverException {
    if (holder == null) {
      try {
        restsUntilNs = target == null ? restsUntilNs : untilNs;
        target = ended(target);
      } finally {
        source = hasWrites() ? source : ended(source);
      }
    }
  }

  private @Nullable MemoryRegion ended(@Nullable MemoryRegion region) throws DriverException {
    if (region != null) {
      remote.deregister(region);
    }
    return null;
  }

  /** The bytes of the block that are registered. */
  long registeredBytes() {
    return (target == null ? 0 : inbound.byteSize()) + (source == null ? 0 : outbound.byteSize());
  }
}
