package io.millrace.protocol.recovery;

import java.util.Arrays;

/**
 * A bit for each packet number, for a window of numbers as wide as the capacity: number {@code n}
 * lives at {@code n} modulo the capacity. The owner of the bits knows the valid window and clears
 * the bits that leave the window.
 */
final class PacketBits {
  private static final long LAST_IN_BLOCK = Long.SIZE - 1;

  private final long[] words;
  private final long mask;

  /** Makes a window of zeros; the capacity is a power of two and at least 64. */
  PacketBits(int capacity) {
    words = new long[capacity / Long.SIZE];
    mask = capacity - 1L;
  }

  int capacity() {
    return (int) mask + 1;
  }

  boolean isSet(long number) {
    return (words[word(number)] & 1L << number) != 0;
  }

  void set(long number) {
    words[word(number)] |= 1L << number;
  }

  void clear(long number) {
    words[word(number)] &= ~(1L << number);
  }

  /**
   * Clears the numbers from {@code from} to {@code to}; all numbers if the range is the whole
   * window.
   */
  void clearRange(long from, long to) {
    if (to - from >= mask) {
      Arrays.fill(words, 0);
      return;
    }
    long number = from;
    while (number <= to) {
      final long blockEnd = Math.min(number | LAST_IN_BLOCK, to);
      final long bits = (-1L << number) & (-1L >>> (LAST_IN_BLOCK - (blockEnd & LAST_IN_BLOCK)));
      words[word(number)] &= ~bits;
      number = blockEnd + 1;
    }
  }

  /** The first number from {@code from} to {@code to} whose bit is set, or -1. */
  long nextSet(long from, long to) {
    long number = from;
    while (number <= to) {
      final long ahead = words[word(number)] >>> number;
      if (ahead != 0) {
        number += Long.numberOfTrailingZeros(ahead);
        return number <= to ? number : -1;
      }
      number = (number | LAST_IN_BLOCK) + 1;
    }
    return -1;
  }

  /** The last number from {@code to} down to {@code from} whose bit is set, or {@code from - 1}. */
  long previousSet(long to, long from) {
    return previous(to, from, 0);
  }

  /**
   * The last number from {@code to} down to {@code from} whose bit is clear, or {@code from - 1}.
   */
  long previousClear(long to, long from) {
    return previous(to, from, -1);
  }

  private long previous(long to, long from, long flip) {
    long number = to;
    while (number >= from) {
      final long behind =
          (words[word(number)] ^ flip) << (LAST_IN_BLOCK - (number & LAST_IN_BLOCK));
      if (behind != 0) {
        return Math.max(number - Long.numberOfLeadingZeros(behind), from - 1);
      }
      number = (number & ~LAST_IN_BLOCK) - 1;
    }
    return from - 1;
  }

  private int word(long number) {
    return (int) ((number & mask) >> 6);
  }
}
