package io.millrace.testkit.internal.driver;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.agrona.MutableDirectBuffer;

/** Distinguishable bytes: the bytes of each datagram follow from its number alone. */
public final class Datagrams {
  private Datagrams() {}

  /** The bytes of datagram {@code number}. */
  public static byte[] bytes(long number, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(number).nextBytes(bytes);
    return bytes;
  }

  /**
   * Writes a train into {@code buffer}: datagrams {@code first}, {@code first + 1} and so on, each
   * {@code segmentLength} long but for the last.
   */
  public static void writeTrain(
      MutableDirectBuffer buffer, long first, int length, int segmentLength) {
    for (int offset = 0; offset < length; offset += segmentLength) {
      int bytes = Math.min(segmentLength, length - offset);
      buffer.putBytes(offset, bytes(first + offset / segmentLength, bytes));
    }
  }

  /** Whether {@code received} is datagram {@code number}. */
  public static boolean isDatagram(byte[] received, long number) {
    return Arrays.equals(received, bytes(number, received.length));
  }
}
