package io.millrace.path.packet;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Frames that are no transfer's and go at the head of whatever packet leaves next. What they say is
 * read when the packet is built, so it is never old. On the worker's thread; does not allocate.
 */
public interface HeadSource {
  /** Whether there is something to say, even in a packet of its own. */
  boolean isDue();

  /** Writes what fits between {@code position} and {@code end}; returns the position behind it. */
  int encode(UnsafeBuffer out, int position, int end, PacketLog log);
}
