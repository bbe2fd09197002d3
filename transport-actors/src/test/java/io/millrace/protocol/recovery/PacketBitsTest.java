package io.millrace.protocol.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacketBitsTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldAnswerLikeASortedSetWithinTheWindow(long seed) {
    final SplittableRandom random = new SplittableRandom(seed);
    final int capacity = 64 << random.nextInt(3);
    final PacketBits bits = new PacketBits(capacity);
    final TreeSet<Long> set = new TreeSet<>();
    long first = 0;
    for (int step = 0; step < 100_000; step++) {
      final String where = "seed " + seed + " step " + step;
      final long from = first + random.nextInt(capacity);
      final long to = from + random.nextInt((int) (first + capacity - from));
      switch (random.nextInt(6)) {
        case 0 -> {
          bits.set(from);
          set.add(from);
        }
        case 1 -> {
          bits.clear(from);
          set.remove(from);
        }
        case 2 -> {
          if (random.nextInt(20) == 0) {
            bits.clearRange(from, to);
            set.subSet(from, true, to, true).clear();
          }
        }
        case 3 -> {
          final Long next = set.ceiling(from);
          assertEquals(next == null || next > to ? -1 : next, bits.nextSet(from, to), where);
        }
        case 4 -> {
          final Long previous = set.floor(to);
          final long expected = previous == null || previous < from ? from - 1 : previous;
          assertEquals(expected, bits.previousSet(to, from), where);
          assertEquals(set.contains(from), bits.isSet(from), where);
        }
        default -> assertEquals(previousClear(set, to, from), bits.previousClear(to, from), where);
      }
      if (random.nextInt(50) == 0) {
        final long newFirst = first + random.nextInt(2 * capacity);
        bits.clearRange(first, newFirst - 1);
        set.headSet(newFirst).clear();
        first = newFirst;
      }
    }
  }

  private static long previousClear(Set<Long> set, long to, long from) {
    long clear = to;
    while (clear >= from && set.contains(clear)) {
      clear--;
    }
    return clear;
  }
}
