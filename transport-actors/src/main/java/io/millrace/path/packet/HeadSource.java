package io.millrace.path.packet;

import io.millrace.memory.SegmentBuffer;

/**
 * Frames that belong to no transfer, and go at the head of the next packet, whatever else the
 * packet carries. The source encodes the frames when the packet is built, so the content is never
 * old. On the worker's thread; does not allocate.
 */
public interface HeadSource {
  /** Whether a frame is due, even in a packet of its own. */
  boolean isDue();

  /**
   * Writes the frames fitting between {@code position} and {@code end}; returns the position behind
   * them.
   */
  int encode(SegmentBuffer out, int position, int end, PacketLog log);
}
