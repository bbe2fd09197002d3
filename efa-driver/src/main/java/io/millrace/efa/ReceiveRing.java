package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.EndpointCounters;
import io.millrace.efa.ofi.FabricErrno;
import io.millrace.efa.ofi.FabricVerbs;
import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * Keeps receive buffers posted, hands arrived messages to the handler and posts the buffers again.
 *
 * <p>Owned by the endpoint's thread; does not allocate after construction.
 */
final class ReceiveRing {
  private static final int ALIGNMENT = 64;

  private final FabricVerbs verbs;
  private final EndpointCounters counters;
  private final FabricCounters fabricCounters;
  private final ContextArea contexts;
  private final SegmentBuffer buffer;
  private final long address;
  private final int datagramBytes;
  private final int stride;
  private final long descriptor;
  private final int[] unposted;
  private int unpostedCount;

  /**
   * @param memory {@link #bytesNeeded} bytes
   * @param descriptor the descriptor of the memory
   */
  ReceiveRing(
      FabricVerbs verbs,
      EndpointStatistics statistics,
      SegmentAllocator allocator,
      MemorySegment memory,
      long descriptor,
      EndpointSizes sizes) {
    this.verbs = verbs;
    this.counters = statistics.counters();
    this.fabricCounters = statistics.fabricCounters();
    this.contexts = new ContextArea(allocator, sizes.receives());
    this.buffer = new SegmentBuffer(memory.address(), (int) memory.byteSize());
    this.address = memory.address();
    this.datagramBytes = sizes.datagramBytes();
    this.stride = stride(sizes);
    this.descriptor = descriptor;
    this.unposted = new int[sizes.receives()];
    for (int slot = sizes.receives() - 1; slot >= 0; slot--) {
      unposted[unpostedCount++] = slot;
    }
  }

  static long bytesNeeded(EndpointSizes sizes) {
    return (long) sizes.receives() * stride(sizes);
  }

  private static int stride(EndpointSizes sizes) {
    return (sizes.datagramBytes() + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Posts every unposted buffer, as long as the provider takes buffers. */
  void post() {
    while (unpostedCount > 0) {
      int slot = unposted[unpostedCount - 1];
      long rc =
          verbs.receive(
              address + (long) slot * stride, datagramBytes, descriptor, contexts.address(slot));
      if (rc != 0) {
        fabricCounters.tryAgains++;
        return;
      }
      unpostedCount--;
    }
  }

  int posted() {
    return unposted.length - unpostedCount;
  }

  /** Returns the receive with this context, or -1. */
  int slotOf(long context) {
    return contexts.slot(context);
  }

  /** Handles a message in the buffer of {@code slot}. */
  void onReceived(int slot, long bytes, CompletionHandler handler) {
    int length = (int) Math.min(bytes, datagramBytes);
    counters.datagramsReceived++;
    counters.bytesReceived += length;
    try {
      handler.onReceive(buffer, slot * stride, length, 0);
    } finally {
      unposted[unpostedCount++] = slot;
    }
  }

  /** Handles a failed receive of {@code slot}; {@code errno} is positive. */
  void onFailed(int slot, int errno) {
    if (errno == FabricErrno.FI_ETRUNC) {
      counters.oversizedDrops++;
    } else {
      fabricCounters.failedReceives++;
    }
    unposted[unpostedCount++] = slot;
  }
}
