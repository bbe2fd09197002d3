package io.millrace.testkit.internal.oracle;

import org.agrona.collections.Long2LongHashMap;

/** The 64-bit numbers in use; a bit each where numbers lie close together. */
final class UsedNonces {
  private final Long2LongHashMap words = new Long2LongHashMap(0);
  private long count;

  /** Uses a number; false if the number was used before. */
  boolean use(long nonce) {
    long word = words.get(nonce >>> 6);
    long bit = 1L << nonce;
    if ((word & bit) != 0) {
      return false;
    }
    words.put(nonce >>> 6, word | bit);
    count++;
    return true;
  }

  /** Returns the first unused number from {@code from} to {@code to}, else {@code to + 1}. */
  long firstUnused(long from, long to) {
    long at = from;
    while (at <= to) {
      long unused = ~words.get(at >>> 6) >>> at;
      if (unused != 0) {
        return Math.min(at + Long.numberOfTrailingZeros(unused), to + 1);
      }
      at = (at | Long.SIZE - 1) + 1;
    }
    return to + 1;
  }

  /** Returns the number of used numbers. */
  long count() {
    return count;
  }
}
