package io.millrace.path.packet;

import io.millrace.memory.SegmentBuffer;

/**
 * Another way for the small packets of a path than the send of its driver. On the worker's thread;
 * does not allocate.
 */
public interface SmallPackets {
  /** No other way: every packet is sent. */
  SmallPackets NONE = (packet, length) -> false;

  /**
   * Takes a sealed packet at the beginning of a buffer; the buffer is the caller's afterwards.
   *
   * @return false if the packet is to be sent
   */
  boolean post(SegmentBuffer packet, int length);

  /** A packet of the path has arrived, perhaps after {@link #onLost}. */
  default void onAcked(long packetNumber) {}

  /** A packet of the path was lost. */
  default void onLost(long packetNumber) {}
}
