package io.millrace.path.packet;

import io.millrace.memory.SegmentBuffer;

/**
 * The rooms above the packets of one path, which take the frames in these packets. On the worker's
 * thread.
 */
public interface FrameReceiver {
  /** An authentic packet came; the calls for its frames follow. */
  void onPacket(long packetNumber);

  /**
   * A frame between {@code at} and {@code end} came. A template unknown to this side is a protocol
   * violation.
   *
   * @return false if the packet must count as not received, so that the peer sends the frame again
   */
  boolean onFrame(int template, SegmentBuffer buffer, int at, int end);

  /**
   * Whether the path may open a packet too old to be known as new or repeated, and show its frames.
   */
  boolean mayOpenLate(long nowNs);

  /**
   * A frame of such an old packet came; the frame may cause questions to the peer, and changes
   * nothing else.
   */
  void onLateFrame(int template, SegmentBuffer buffer, int at, int end);

  /** Whether an opened packet of chunks has as many bytes behind its tag as the frames say. */
  boolean isWhole(SegmentBuffer buffer, int offset, int length);

  /** A whole packet of chunks came. As {@link #onFrame}. */
  boolean onChunks(SegmentBuffer buffer, int offset);
}
