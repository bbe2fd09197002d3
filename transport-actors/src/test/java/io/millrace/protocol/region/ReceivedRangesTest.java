package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceivedRangesTest {
  private final ReceivedRanges ranges = new ReceivedRanges();

  @Test
  void shouldCountEachByteOnce() {
    assertEquals(10, ranges.add(0, 10));
    assertEquals(0, ranges.add(0, 10));
    assertEquals(5, ranges.add(5, 10));
    assertEquals(10, ranges.add(20, 10));
    assertEquals(5, ranges.add(10, 15));
    assertEquals(30, ranges.totalBytes());
    assertTrue(ranges.covers(30));
    assertFalse(ranges.covers(31));
  }

  @Test
  void shouldRefuseWhatWouldLeaveTooManyGapsAndTakeItLater() {
    for (int i = 1; i <= ReceivedRanges.MAX_GAPS; i++) {
      assertEquals(1, ranges.add(2 * i, 1));
    }
    assertEquals(-1, ranges.add(1_000, 1));
    assertEquals(ReceivedRanges.MAX_GAPS, ranges.totalBytes());
    assertEquals(1, ranges.add(2 * ReceivedRanges.MAX_GAPS + 1, 1), "joins the last");
    assertEquals(3, ranges.add(0, 4));
    assertEquals(1, ranges.add(1_000, 1));
  }

  @Test
  void shouldForgetEveryOtherRecordOfTheLongestRegion() {
    int record = ReceiveRegion.RECORD_BYTES;
    ranges.add(0, RegionPoolSettings.MAX_REGION_BYTES);
    for (int i = 0; i < Long.SIZE; i += 2) {
      assertEquals(record, ranges.remove(i * record, record));
    }
    assertEquals(RegionPoolSettings.MAX_REGION_BYTES / 2, ranges.totalBytes());
    for (int i = 0; i < Long.SIZE; i += 2) {
      assertEquals(record, ranges.add(i * record, record));
    }
    assertTrue(ranges.covers(RegionPoolSettings.MAX_REGION_BYTES));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldAgreeWithASetOfBytes(long seed) {
    Random random = new Random(seed);
    BitSet model = new BitSet();
    for (int step = 0; step < 20_000; step++) {
      int at = random.nextInt(300);
      int length = 1 + random.nextInt(random.nextInt(8) == 0 ? 100 : 6);
      int before = model.cardinality();
      if (random.nextInt(4) == 0) {
        model.clear(at, at + length);
        int forgotten = ranges.remove(at, length);
        if (forgotten != before - model.cardinality()) {
          assertTrue(gaps(model) > ReceivedRanges.MAX_GAPS, "seed " + seed + " step " + step);
          model = restart(model);
        }
      } else {
        BitSet with = (BitSet) model.clone();
        with.set(at, at + length);
        int fresh = ranges.add(at, length);
        if (fresh < 0) {
          assertTrue(gaps(with) > ReceivedRanges.MAX_GAPS, "seed " + seed + " step " + step);
        } else {
          assertEquals(with.cardinality() - before, fresh, "seed " + seed + " step " + step);
          model = with;
        }
      }
      int end = random.nextInt(420);
      assertEquals(model.cardinality(), ranges.totalBytes());
      assertEquals(model.get(0, end).cardinality(), ranges.bytesBefore(end));
      assertEquals(model.nextClearBit(0) >= end, ranges.covers(end));
      if (random.nextInt(400) == 0) {
        model = restart(model);
      }
    }
  }

  private BitSet restart(BitSet model) {
    ranges.clear();
    model.clear();
    return model;
  }

  private static int gaps(BitSet model) {
    int gaps = 0;
    int at = model.nextSetBit(model.nextClearBit(0));
    while (at >= 0) {
      gaps++;
      at = model.nextSetBit(model.nextClearBit(at));
    }
    return gaps;
  }
}
