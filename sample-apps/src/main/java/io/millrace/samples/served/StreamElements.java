package io.millrace.samples.served;

import java.nio.ByteBuffer;

/**
 * Elements of streams that are a load: each begins with its number if it has eight bytes for it,
 * and every other byte is known.
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

  /** Follows the elements of one stream, from number 0 on. One thread at a time. */
  public static final class Check {
    private long count;
    private long bytes;
    private boolean areRight = true;

    /** Takes the next element; false if any of its bytes, or its place, is wrong. */
    public boolean isNext(byte[] element) {
      areRight &= isElement(count, element);
      count++;
      bytes += element.length;
      return areRight;
    }

    /** Whether these were all, each of that length, and none was wrong. */
    public boolean isWhole(long wantedCount, int wantedLength) {
      return areRight && count == wantedCount && bytes == wantedCount * wantedLength;
    }

    /** How many elements and bytes there were. */
    byte[] summary() {
      return summaryOf(count, bytes);
    }

    long count() {
      return count;
    }
  }

  /** What a sink answers after so many right elements and bytes: two big-endian longs. */
  public static byte[] summaryOf(long count, long bytes) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(count).putLong(bytes).array();
  }
}
