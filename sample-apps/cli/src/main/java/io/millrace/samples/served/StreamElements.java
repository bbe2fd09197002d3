package io.millrace.samples.served;

import java.nio.ByteBuffer;

/**
 * The elements of a load's streams: an element of eight bytes or more begins with its number, and
 * every other byte is known.
 */
public final class StreamElements {
  private StreamElements() {}

  /** The element of this number and length in bytes, a new array. */
  public static byte[] element(long number, int length) {
    byte[] element = new byte[length];
    int from = 0;
    if (length >= Long.BYTES) {
      ByteBuffer.wrap(element).putLong(number);
      from = Long.BYTES;
    }
    for (int i = from; i < length; i++) {
      element[i] = (byte) i;
    }
    return element;
  }

  private static boolean isElement(long number, byte[] element) {
    int from = 0;
    if (element.length >= Long.BYTES) {
      if (ByteBuffer.wrap(element).getLong() != number) {
        return false;
      }
      from = Long.BYTES;
    }
    for (int i = from; i < element.length; i++) {
      if (element[i] != (byte) i) {
        return false;
      }
    }
    return true;
  }

  /**
   * Follows the elements of one stream, from number 0 on. A single thread at a time may use a
   * check.
   */
  public static final class Check {
    private long count;
    private long bytes;
    private boolean areRight = true;

    /** Takes the next element; returns false if a byte of the element, or its place, is wrong. */
    public boolean isNext(byte[] element) {
      areRight &= isElement(count, element);
      count++;
      bytes += element.length;
      return areRight;
    }

    /** Returns whether all elements came, each of this length, and no element was wrong. */
    public boolean isWhole(long wantedCount, int wantedLength) {
      return areRight && count == wantedCount && bytes == wantedCount * wantedLength;
    }

    /** Returns the number of elements and of bytes. */
    byte[] summary() {
      return summaryOf(count, bytes);
    }

    long count() {
      return count;
    }
  }

  /**
   * Returns a sink's answer after these numbers of right elements and bytes: two big-endian longs.
   */
  public static byte[] summaryOf(long count, long bytes) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(count).putLong(bytes).array();
  }
}
