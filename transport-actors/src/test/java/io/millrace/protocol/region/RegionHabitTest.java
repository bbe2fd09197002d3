package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The next region of a holder that leaves its regions empty, and the way back to larger regions.
 */
class RegionHabitTest extends RegionPoolFixture {
  private static final int LARGE = 4 * K64;
  private static final int HABIT = 8;

  private long nowNs;

  private RegionHolder holderOfALargeOne() {
    RegionHolder holder = asking("a", 3, LARGE, LARGE);
    assertEquals(List.of("granted a 4 262144"), grant(nowNs));
    return holder;
  }

  private void giveUp(RegionHolder holder) {
    ReceiveRegion region = regionOf(holder);
    pool.onNotified(holder, region.index(), region.fill(), region.key(), 0);
    pool.onDiscarded(region);
    pool.onConsumed(region, nowNs++, said);
    pool.onDemand(holder, 3, LARGE, LARGE);
    grant(nowNs);
  }

  @Test
  void shouldLearnNothingOfFillsThatWereGivenUp() {
    RegionHolder holder = holderOfALargeOne();
    for (int i = 0; i < 3 * HABIT; i++) {
      giveUp(holder);
    }
    assertEquals(LARGE, regionOf(holder).sizeBytes());
    assertEquals(Integer.MAX_VALUE, holder.usefulBytes());
  }

  @Test
  void shouldLearnNothingOfWhatIsThrownAwayBeforeItsLengthIsKnown() {
    RegionHolder holder = holderOfALargeOne();
    for (int i = 0; i < 3 * HABIT; i++) {
      ReceiveRegion region = regionOf(holder);
      pool.onDiscarded(region);
      pool.onConsumed(region, nowNs++, said);
    }
    assertEquals(Integer.MAX_VALUE, holder.usefulBytes());
  }

  private RegionHolder holderOfShortFills() {
    RegionHolder holder = pool.open("a");
    for (int i = 0; i < HABIT; i++) {
      holder.onFillConsumed(1, LARGE);
    }
    return holder;
  }

  /** The size of the region granted for a little more than the size of a small region. */
  private int granted(RegionHolder holder) {
    pool.onDemand(holder, 3, SMALL + 1, LARGE);
    grant(nowNs);
    return regionOf(holder).sizeBytes();
  }

  @Test
  void shouldGetSmallOnesForShortFills() {
    RegionHolder holder = holderOfShortFills();
    assertEquals(2, holder.usefulBytes());
    assertEquals(SMALL, granted(holder));
  }

  @Test
  void shouldGetLargerOnesAgainHoweverShortFillsWere() {
    RegionHolder holder = holderOfShortFills();
    int fills = 0;
    while (holder.usefulBytes() < LARGE) {
      assertTrue(++fills < 20, "it gets no larger ones");
      holder.onFillConsumed(SMALL, SMALL);
    }
    assertEquals(LARGE, granted(holder));
  }
}
