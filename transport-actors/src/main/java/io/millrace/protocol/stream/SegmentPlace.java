package io.millrace.protocol.stream;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** The place of the parts of an arrived segment in the segment's buffer. Used again for each. */
public final class SegmentPlace {
  private int lengthsAt;
  private int stride;
  private int count;
  private int sum;
  private int elementsAt;
  private int length;

  /** Sets the position of the lengths: {@code count} lengths, {@code stride} bytes apart. */
  public void set(DirectBuffer buffer, int lengthsAt, int stride, int count) {
    this.lengthsAt = lengthsAt;
    this.stride = stride;
    this.count = count;
    sum = 0;
    for (int i = 0; i < count; i++) {
      sum += lengthOf(buffer, i);
    }
  }

  /** Sets where the elements' bytes are. */
  public void elements(int elementsAt, int length) {
    this.elementsAt = elementsAt;
    this.length = length;
  }

  /** The position of the first length. */
  int lengthsAt() {
    return lengthsAt;
  }

  int stride() {
    return stride;
  }

  /** Elements, or parts of elements. */
  int count() {
    return count;
  }

  int elementsAt() {
    return elementsAt;
  }

  /** Bytes of the elements. */
  public int length() {
    return length;
  }

  /** Whether the lengths add up to the present bytes. */
  boolean isWhole() {
    return sum == length;
  }

  int lengthOf(DirectBuffer buffer, int index) {
    return buffer.getShort(lengthsAt + index * stride, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
  }
}
