package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The reserve for the first priorities when other priorities want all regions. */
class RegionReserveTest extends RegionPoolFixture {
  private static final int STEP = 64 * KIB;

  @Test
  void shouldGrantTheFirstPrioritiesWhenOthersHaveAllTheyMayHave() {
    pool = pool(List.of(4, 4), 8 * STEP, 2 << 20, 25);
    asking("a", 2, 2 << 20, 4 * K64);
    assertEquals(List.of("granted a 4 262144", "granted a 5 131072"), grant(0));
    assertEquals(6 * STEP, pool.outstandingBytes());
    asking("b", 2, SMALL, SMALL);
    assertEquals(List.of("exhausted b"), grant(1));
    asking("c", 1, STEP, STEP);
    asking("d", 0, STEP, STEP);
    assertEquals(List.of("granted d 6 65536", "granted c 7 65536"), grant(2));
    assertEquals(8 * STEP, pool.outstandingBytes());
    asking("e", 0, STEP, STEP);
    assertEquals(List.of("exhausted e"), grant(3), "the budget is the budget");
  }

  @Test
  void shouldNotGiveTheReserveToAFillThatNobodyAskedFor() {
    pool = pool(List.of(4, 4), 8 * STEP, 2 << 20, 25);
    RegionHolder first = asking("a", 0, STEP, STEP);
    grant(0);
    ReceiveRegion region = regionOf(first);
    asking("b", 3, 2 << 20, 4 * K64);
    grant(0);
    assertEquals(6 * STEP, pool.outstandingBytes());
    fill(region, STEP, 1);
    grant(1);
    assertEquals(6 * STEP, pool.outstandingBytes());
    said.take();
    pool.onConsumed(region, 2, said);
    assertEquals(List.of("reused a 4 fill 2 0"), said.take());
    pool.onDemand(first, 0, STEP, STEP);
    assertEquals(List.of("authorised a 4 65536"), grant(3), "it has to ask");
  }

  @Test
  void shouldGoOnWhenBytesMakeRoomForTheOthersAgain() {
    pool = pool(List.of(4, 4), 4 * STEP, 2 << 20, 50);
    RegionHolder a = asking("a", 5, 3 * STEP, 3 * STEP);
    assertEquals(List.of("granted a 4 131072"), grant(0));
    asking("b", 0, 2 * STEP, 2 * STEP);
    assertEquals(List.of("granted b 5 131072"), grant(0));
    write(regionOf(a), STEP, 1);
    assertEquals(List.of(), grant(1), "who came first has some of what is for all");
    write(pool.region(5), 2 * STEP, 2);
    assertEquals(List.of("authorised a 4 196608"), grant(2));
    assertEquals(2 * STEP, pool.outstandingBytes());
  }

  @Test
  void shouldLeaveTheOthersAStepHoweverSmallTheBudget() {
    pool = pool(List.of(4, 4), STEP, 2 << 20, 90);
    asking("a", 7, 4 * STEP, 4 * STEP);
    assertEquals(List.of("granted a 4 65536"), grant(0));
  }

  @Test
  void shouldKeepWholeStepsOfTheBudgetSoThatNoneIsLeftForNobody() {
    pool = pool(List.of(4, 4), 4 * STEP, 2 << 20, 40);
    asking("a", 7, 4 * STEP, 4 * STEP);
    assertEquals(List.of("granted a 4 196608"), grant(0));
    pool = pool(List.of(4, 4), 4 * STEP, 2 << 20, 10);
    asking("a", 7, 4 * STEP, 4 * STEP);
    assertEquals(List.of("granted a 4 262144"), grant(0));
  }

  @Test
  void shouldKeepNothingWithoutAReserve() {
    pool = pool(List.of(1, 1), 8 * STEP, 2 << 20, 0);
    asking("a", 7, 2 << 20, 4 * K64);
    assertEquals(List.of("granted a 1 262144", "granted a 0 16384"), grant(0));
    assertEquals(0, RegionReserve.NONE.of(1 << 20));
    assertEquals(
        Long.MAX_VALUE / 100 * 10,
        RegionReserve.NONE.of(0) + new RegionReserve(10, 1).of(Long.MAX_VALUE / 100 * 100));
    assertThrows(IllegalArgumentException.class, () -> new RegionReserve(91, 1));
    assertThrows(IllegalArgumentException.class, () -> new RegionReserve(-1, 1));
    assertThrows(IllegalArgumentException.class, () -> new RegionReserve(1, 9));
    assertThrows(IllegalArgumentException.class, () -> new RegionReserve(1, -1));
  }
}
