package io.millrace.testkit.internal.net;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.EndpointCounters;
import io.millrace.memory.SegmentBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The datagrams that arrived at an endpoint and were not polled yet, up to a number of bytes. Each
 * datagram is copied into native memory for its turn, and is gone from there afterwards.
 */
final class ReceiveQueue {
  private static final int MIN_BYTES = 256;
  private static final byte POISON = (byte) 0xD6;

  private final NetworkRun run;
  private final EndpointCounters counters;
  private final ArrayDeque<Packet> packets = new ArrayDeque<>();
  private final SegmentBuffer view;
  private final int capacityBytes;
  private final boolean ecn;
  private int usedBytes;
  private @Nullable Packet current;

  /**
   * Creates an empty queue.
   *
   * @param capacityBytes bytes that fit into the queue
   * @param datagramBytes the longest datagram of the endpoint
   */
  ReceiveQueue(
      NetworkRun run,
      EndpointCounters counters,
      int capacityBytes,
      int datagramBytes,
      boolean ecn) {
    this.run = run;
    this.counters = counters;
    this.capacityBytes = capacityBytes;
    this.ecn = ecn;
    view = run.blocks().acquire(datagramBytes);
  }

  boolean isFull(int length) {
    return usedBytes + Math.max(MIN_BYTES, length) > capacityBytes;
  }

  void add(Packet packet) {
    usedBytes += Math.max(MIN_BYTES, packet.length());
    packets.addLast(packet);
  }

  /** Gives the next datagram to {@code handler}; false when the queue is empty. */
  boolean poll(CompletionHandler handler) {
    Packet packet = packets.pollFirst();
    if (packet == null) {
      return false;
    }
    int length = packet.length();
    usedBytes -= Math.max(MIN_BYTES, length);
    counters.datagramsReceived++;
    counters.bytesReceived += length;
    view.putBytes(0, packet.bytes(), 0, length);
    current = packet;
    try {
      handler.onReceive(view, 0, length, ecn ? packet.ecn() : 0);
    } finally {
      current = null;
      view.setMemory(0, length, POISON);
      run.recycle(packet);
    }
    return true;
  }

  /** The datagram in the hands of the handler, or null. */
  @Nullable Packet current() {
    return current;
  }

  void close() {
    packets.forEach(run::recycle);
    packets.clear();
    run.blocks().release(view);
  }
}
