package io.millrace.testkit.internal.oracle;

import java.util.BitSet;

/** The arrived bytes of a fill; a bit each. */
final class ArrivedBytes {
  private final BitSet bytes = new BitSet();
  private int count;

  /** Adds bytes that have arrived, for the first time or again. */
  void add(int at, int length) {
    int end = at + length;
    int from = bytes.nextClearBit(at);
    while (from < end) {
      int known = bytes.nextSetBit(from);
      int to = known < 0 ? end : Math.min(known, end);
      count += to - from;
      from = bytes.nextClearBit(to);
    }
    bytes.set(at, end);
  }

  /** Returns the number of arrived bytes before {@code end}. */
  int before(int end) {
    return bytes.length() <= end ? count : bytes.get(0, end).cardinality();
  }

  /** Returns the number of arrived bytes. */
  int count() {
    return count;
  }

  void clear() {
    bytes.clear();
    count = 0;
  }
}
