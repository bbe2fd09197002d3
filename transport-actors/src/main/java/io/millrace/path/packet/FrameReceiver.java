package io.millrace.path.packet;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The rooms above the packets of one path, which take the frames in them. On the worker's thread.
 */
public interface FrameReceiver {
  /** An authentic packet came; what is in it follows. */
  void onPacket(long packetNumber);

  /**
   * A frame came that lies between {@code at} and {@code end}. A template that is not known is a
   * violation.
   *
   * @return false if it must count as not received, so that it is sent again
   */
  boolean onFrame(int template, UnsafeBuffer buffer, int at, int end);

  /** Whether a packet that is too old to tell may be opened, to be shown frame by frame. */
  boolean mayOpenLate(long nowNs);

  /** A frame of such a packet, which must change nothing but what the peer is asked. */
  void onLateFrame(int template, UnsafeBuffer buffer, int at, int end);

  /** Whether an opened packet of chunks has as many bytes behind its tag as its frames say. */
  boolean isWhole(UnsafeBuffer buffer, int offset, int length);

  /** A packet of chunks came that is whole. As {@link #onFrame}. */
  boolean onChunks(UnsafeBuffer buffer, int offset);
}
