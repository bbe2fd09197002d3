package io.millrace.driver;

import io.millrace.memory.SegmentBuffer;

/**
 * Native memory for a train of packets. Belongs to the worker that acquired the buffer until the
 * train is posted, then to the driver.
 */
public final class SendBuffer {
  private final int index;
  private final SegmentBuffer buffer;

  /** Wraps memory that the driver allocated; {@code index} is the driver's own slot number. */
  public SendBuffer(int index, SegmentBuffer buffer) {
    this.index = index;
    this.buffer = buffer;
  }

  /** The driver's slot number. */
  public int index() {
    return index;
  }

  /** The memory; the buffer's {@code addressOffset()} is a native address. */
  public SegmentBuffer buffer() {
    return buffer;
  }

  /** Bytes in all. */
  public int capacity() {
    return buffer.capacity();
  }
}
