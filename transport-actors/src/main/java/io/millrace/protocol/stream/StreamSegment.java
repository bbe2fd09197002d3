package io.millrace.protocol.stream;

import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;

/**
 * The content of a StreamData frame: consecutive elements of a flow, or a part of an element.
 * Filled once, kept until the peer has the segment, then used for another. Owned by the worker of
 * the flow's path. No clock; allocates only during growth of its arrays.
 */
public final class StreamSegment {
  /** Bytes of the length in front of each element. */
  public static final int LENGTH_BYTES = 2;

  private static final int MOST_ELEMENTS = 255;
  private static final int FIRST_LENGTHS = 8;

  private byte[] bytes = {};
  private short[] lengths = new short[FIRST_LENGTHS];
  private int capacity;
  private int used;
  private int count;
  private long number;
  private long element;
  private boolean continued;
  private boolean unfinished;

  /** Begins a segment of at most {@code capacity} bytes, the elements' lengths included. */
  public void start(int capacity) {
    this.capacity = capacity;
    used = 0;
    count = 0;
    continued = false;
    unfinished = false;
  }

  void name(long number, long element, boolean continued) {
    this.number = number;
    this.element = element;
    this.continued = continued;
  }

  /** Whether another element, or at least a byte of another element, has room. */
  boolean hasRoom() {
    return count < MOST_ELEMENTS && roomBytes() > 0;
  }

  /** Adds as many bytes as have room, from {@code offset} on, and returns how many. */
  int add(byte[] from, int offset) {
    int taken = Math.min(roomBytes(), from.length - offset);
    if (used + taken > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(used + taken, Math.min(capacity, bytes.length * 2)));
    }
    if (count == lengths.length) {
      lengths = Arrays.copyOf(lengths, count * 2);
    }
    System.arraycopy(from, offset, bytes, used, taken);
    lengths[count++] = (short) taken;
    used += taken;
    return taken;
  }

  void markUnfinished() {
    unfinished = true;
  }

  /** The segment's number in the flow, from 0. */
  public long number() {
    return number;
  }

  /** The number of the segment's first element. */
  public long element() {
    return element;
  }

  /** Whether its first element began in an earlier segment. */
  public boolean isContinued() {
    return continued;
  }

  /** Whether its last element goes on in the next segment. */
  public boolean isUnfinished() {
    return unfinished;
  }

  /** Elements in the segment, or parts of elements. */
  public int count() {
    return count;
  }

  /** Bytes of elements in the segment. */
  public int contentLength() {
    return used;
  }

  /** Writes the lengths, two bytes each. */
  public void encodeLengths(MutableDirectBuffer buffer, int offset) {
    for (int i = 0; i < count; i++) {
      buffer.putShort(offset + i * LENGTH_BYTES, lengths[i], ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** Writes the elements' bytes. */
  public void encodeElements(MutableDirectBuffer buffer, int offset) {
    buffer.putBytes(offset, bytes, 0, used);
  }

  private int roomBytes() {
    return capacity - used - (count + 1) * LENGTH_BYTES;
  }
}
