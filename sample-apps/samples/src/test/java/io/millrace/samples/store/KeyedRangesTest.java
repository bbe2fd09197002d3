package io.millrace.samples.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.samples.store.KeyedRanges.Range;
import io.millrace.samples.store.KeyedRanges.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyedRangesTest {
  private static final int CHUNK = 64;

  @Test
  void shouldMakeOneKeyOfAThousandAdjacentChunks() {
    List<Range> chunks = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      chunks.add(new Range("k" + i, (long) i * CHUNK, CHUNK));
    }
    Collections.shuffle(chunks, new Random(1));
    assertEquals(
        List.of(new Range("k0", 0, 1_000L * CHUNK)), KeyedRanges.coalesced(chunks).ranges());
  }

  @Test
  void shouldKeepWhatDoesNotTouchApart() {
    KeyedRanges ranges =
        KeyedRanges.coalesced(
            List.of(new Range("c", 30, 5), new Range("a", 0, 10), new Range("b", 10, 10)));
    assertEquals(List.of(new Range("a", 0, 20), new Range("c", 30, 5)), ranges.ranges());
    assertEquals(15, ranges.contiguousFrom(5));
    assertEquals(0, ranges.contiguousFrom(20));
    assertEquals(ranges, RangesText.parse(RangesText.of(ranges)));
    assertThrows(IllegalArgumentException.class, () -> ranges.slices(15, 10));
  }

  /** With any split, the bytes of a slice are the bytes of the artifact. */
  @Test
  void shouldTranslateOffsetsForRandomSplits() {
    Random random = new Random(7);
    for (int round = 0; round < 500; round++) {
      List<Range> ranges = new ArrayList<>();
      int size = 0;
      while (size < 200) {
        int length = 1 + random.nextInt(50);
        ranges.add(new Range("k" + ranges.size(), size, length));
        size += length;
      }
      KeyedRanges all = new KeyedRanges(ranges);
      int offset = random.nextInt(size);
      int length = 1 + random.nextInt(size - offset);
      long at = offset;
      for (Slice slice : all.slices(offset, length)) {
        Range range = ranges.get(Integer.parseInt(slice.key().substring(1)));
        assertEquals(at, range.offset() + slice.offsetInKey());
        at += slice.length();
      }
      assertEquals(offset + length, at);
      assertEquals(size - offset, all.contiguousFrom(offset));
    }
  }

  @Test
  void shouldRefuseRangesThatOverlap() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new KeyedRanges(List.of(new Range("a", 0, 10), new Range("b", 9, 1))));
  }
}
