package io.millrace.memory;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A buffer over an array, a byte buffer, another buffer or an address. Any thread, one at a time.
 */
public class SegmentBuffer extends UnsafeBuffer {
  /** A buffer over nothing. */
  public SegmentBuffer() {
    this(0, 0);
  }

  /**
   * A buffer over a whole array.
   *
   * @param bytes the array
   */
  public SegmentBuffer(byte[] bytes) {
    super(bytes);
  }

  /**
   * A buffer over a part of an array.
   *
   * @param bytes the array
   * @param offset its first byte
   * @param length its bytes
   */
  public SegmentBuffer(byte[] bytes, int offset, int length) {
    super(bytes, offset, length);
  }

  /**
   * A buffer over a whole byte buffer, from 0 to its capacity.
   *
   * @param bytes the byte buffer
   */
  public SegmentBuffer(ByteBuffer bytes) {
    super(bytes);
  }

  /**
   * A buffer over a part of a byte buffer.
   *
   * @param bytes the byte buffer
   * @param offset its first byte, from 0
   * @param length its bytes
   */
  public SegmentBuffer(ByteBuffer bytes, int offset, int length) {
    super(bytes, offset, length);
  }

  /**
   * A buffer over another one.
   *
   * @param buffer the other one
   */
  public SegmentBuffer(DirectBuffer buffer) {
    super(buffer);
  }

  /**
   * A buffer over a part of another one.
   *
   * @param buffer the other one
   * @param offset its first byte
   * @param length its bytes
   */
  public SegmentBuffer(DirectBuffer buffer, int offset, int length) {
    super(buffer, offset, length);
  }

  /**
   * A buffer over memory of the system.
   *
   * @param address where the memory begins; it outlives this buffer
   * @param length its bytes
   */
  public SegmentBuffer(long address, int length) {
    super(address, length);
  }
}
