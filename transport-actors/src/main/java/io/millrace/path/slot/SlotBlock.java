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
  private long restsUntilNs = Long.MIN_VALUE;

  /**
   * Takes the memory of the block, which is freed by the collector: the NIC may touch it as long as
   * the endpoint is open.
   */
  SlotBlock(int index, int slots) {
    this.index = index;
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
        && writesUnderWay == 0
        && nowNs - restsUntilNs >= 0;
  }

  /** Gives the block to a path, registered under a new key. */
  void open(PathSlots path, RemoteMemory remote) throws DriverException {
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

  /** The path is over: the peer may write nothing more, and the block rests. */
  void close(RemoteMemory remote, long untilNs) throws DriverException {
    holder = null;
    restsUntilNs = untilNs;
    end(remote);
  }

  /** Ends the registrations; a registration that cannot be ended keeps the block from use. */
  private void end(RemoteMemory remote) throws DriverException {
    MemoryRegion in = target;
    if (in != null) {
      remote.deregister(in);
      target = null;
    }
    MemoryRegion from = source;
    if (from != null && writesUnderWay == 0) {
      remote.deregister(from);
      source = null;
    }
  }

  /** Ends what {@link #close} left registered, as far as possible now. */
  void settle(RemoteMemory remote) throws DriverException {
    if (holder == null) {
      end(remote);
    }
  }
}
