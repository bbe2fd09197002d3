package io.millrace.testkit.sim.oracle;

import org.agrona.collections.Long2LongHashMap;

/** Which 64-bit numbers were used; a bit each where they lie close together. */
final class UsedNonces {
  private final Long2LongHashMap words = new Long2LongHashMap(0);
  private long count;

  /** Uses a number; false if it was used before. */
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

  /** How many were used. */
  long count() {
    return count;
  }
}
