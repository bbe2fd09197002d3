package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The right to write a region, and the writable bytes at a moment: rule by rule. */
class RegionPoolTest extends RegionPoolFixture {
  @Test
  void shouldGrantTheSmallestRegionThatHoldsThePiece() {
    asking("a", 3, SMALL, SMALL);
    asking("b", 3, SMALL + 1, SMALL + 1);
    assertEquals(List.of("granted a 0 16384", "granted b 4 16385"), grant(0));
    assertEquals(0, pool.grant(0, said));
    assertEquals(SMALL + SMALL + 1, pool.outstandingBytes());
    assertEquals(SMALL + 4 * K64, pool.grantedBytes());
  }

  @Test
  void shouldServeBetterPrioritiesFirstAndTakeTurnsWithinOne() {
    pool = pool(List.of(1, 4), 2 << 20, 1 << 20, 0);
    asking("a", 5, 1 << 20, 4 * K64);
    asking("b", 3, 2 * 4 * K64, 4 * K64);
    asking("c", 3, 4 * K64, 4 * K64);
    asking("d", 0, 4 * K64, 4 * K64);
    List<String> granted = grant(0);
    assertEquals(
        List.of(
            "granted d 1 262144",
            "granted b 2 262144",
            "granted c 3 262144",
            "granted b 4 262144",
            "granted a 0 16384"),
        granted);
  }

  @Test
  void shouldKeepAReserveForTheFirstTwoPriorities() {
    pool = pool(List.of(4, 4), 2 << 20, 2 << 20, 50);
    asking("a", 2, 2 << 20, 4 * K64);
    assertEquals(4, grant(0).size());
    assertEquals(2, pool.freeRegions(0));
    assertEquals(2, pool.freeRegions(1));
    asking("b", 1, 4 * K64, 4 * K64);
    assertEquals(List.of("granted b 6 262144"), grant(0));
  }

  @Test
  void shouldNotGiveOneHolderMoreThanItsCap() {
    pool = pool(List.of(4, 4), 2 << 20, 4 * K64 + SMALL, 0);
    RegionHolder greedy = asking("a", 0, 1 << 20, 4 * K64);
    assertEquals(List.of("granted a 4 262144", "granted a 0 16384"), grant(0));
    assertEquals(4 * K64 + SMALL, greedy.grantedBytes());
    assertEquals(List.of(), grant(0));
    asking("b", 7, 1, 1);
    assertEquals(List.of("granted b 1 1"), grant(0));
  }

  @Test
  void shouldStayWithinTheBudgetAndGoOnAsBytesArrive() {
    pool = pool(List.of(4, 4), K64, 1 << 20, 0);
    RegionHolder a = asking("a", 3, 2 * K64, 2 * K64);
    asking("b", 3, SMALL, SMALL);
    assertEquals(List.of("granted a 4 65536", "exhausted b"), grant(0));
    ReceiveRegion region = regionOf(a);
    assertEquals(WriteVerdict.NOT_AUTHORISED, check(a, region, K64, 1));
    write(region, SMALL - 1, 1);
    assertEquals(List.of(), grant(1));
    assertEquals(1, pool.onWritten(region, SMALL - 1, 1, 1));
    assertEquals(List.of("granted b 0 16384"), grant(1));
    assertEquals(K64 - SMALL, pool.onWritten(region, SMALL, K64 - SMALL, 2));
    assertEquals(List.of(), grant(2), "less than a step is free");
    write(pool.region(0), SMALL, 2);
    assertEquals(List.of("authorised a 4 131072"), grant(2));
    assertEquals(K64, pool.peakOutstandingBytes());
    assertEquals(0, a.demandBytes());
  }

  @Test
  void shouldReturnToTheBudgetWhatAShortFillLeaves() {
    RegionHolder a = asking("a", 3, 4 * K64, 4 * K64);
    grant(0);
    ReceiveRegion region = regionOf(a);
    write(region, 1_000, 1);
    pool.onNotified(a, region.index(), 1, region.key(), 1_500);
    assertEquals(500, pool.outstandingBytes());
    assertEquals(WriteVerdict.NOT_AUTHORISED, check(a, region, 1_000, 501));
    assertFalse(pool.isComplete(region));
    pool.onWritten(region, 1_000, 500, 2);
    assertTrue(pool.isComplete(region));
    assertEquals(0, pool.outstandingBytes());
  }

  @Test
  void shouldDropEveryKindOfWrongWriteAndCountIt() {
    RegionHolder a = asking("a", 3, SMALL, SMALL);
    RegionHolder b = pool.open("b");
    grant(0);
    ReceiveRegion region = regionOf(a);
    long key = region.key();
    assertEquals(WriteVerdict.UNKNOWN_REGION, pool.check(a, 8, 1, key, 0, 1));
    assertEquals(WriteVerdict.UNKNOWN_REGION, pool.check(a, -1, 1, key, 0, 1));
    assertEquals(WriteVerdict.NOT_OWNER, pool.check(b, 0, 1, key, 0, 1));
    assertEquals(WriteVerdict.NOT_OWNER, pool.check(a, 1, 1, 0, 0, 1));
    assertEquals(WriteVerdict.WRONG_KEY, pool.check(a, 0, 1, key + 1, 0, 1));
    assertEquals(WriteVerdict.FUTURE_FILL, pool.check(a, 0, 2, key, 0, 1));
    assertEquals(WriteVerdict.FUTURE_FILL, pool.check(a, 0, 0, key, 0, 1));
    assertEquals(WriteVerdict.OUT_OF_BOUNDS, pool.check(a, 0, 1, key, -1, 1));
    assertEquals(WriteVerdict.OUT_OF_BOUNDS, pool.check(a, 0, 1, key, 0, 0));
    assertEquals(WriteVerdict.OUT_OF_BOUNDS, pool.check(a, 0, 1, key, SMALL, 1));
    assertEquals(WriteVerdict.OUT_OF_BOUNDS, pool.check(a, 0, 1, key, Long.MAX_VALUE, 1));
    assertEquals(WriteVerdict.OUT_OF_BOUNDS, pool.check(a, 0, 1, key, 1, Long.MAX_VALUE));
    assertEquals(WriteVerdict.OK, pool.check(a, 0, 1, key, SMALL - 1, 1));
    fill(region, SMALL, 1);
    assertEquals(WriteVerdict.ALREADY_CONSUMING, pool.check(a, 0, 1, key, 0, 1));
    pool.onConsumed(region, 2, said);
    assertEquals(WriteVerdict.STALE_FILL, pool.check(a, 0, 1, key, 0, 1));
    pool.revoke(region, 3, said);
    assertEquals(WriteVerdict.REVOKED, pool.check(a, 0, 2, key, 0, 1));
    assertEquals(5, pool.counters().writes(WriteVerdict.OUT_OF_BOUNDS));
    assertEquals(2, pool.counters().writes(WriteVerdict.NOT_OWNER));
  }

  @Test
  void shouldRefuseEveryKindOfWrongNotificationAndChangeNothing() {
    RegionHolder a = asking("a", 3, SMALL - 1, SMALL - 1);
    RegionHolder b = pool.open("b");
    grant(0);
    ReceiveRegion region = regionOf(a);
    long key = region.key();
    assertEquals(NotifyVerdict.FORGED_REGION, pool.onNotified(a, 99, 1, key, 1));
    assertEquals(NotifyVerdict.FORGED_OWNER, pool.onNotified(b, 0, 1, key, 1));
    assertEquals(NotifyVerdict.FORGED_KEY, pool.onNotified(a, 0, 1, key + 1, 1));
    assertEquals(NotifyVerdict.FORGED_FILL, pool.onNotified(a, 0, 2, key, 1));
    assertEquals(NotifyVerdict.FORGED_LENGTH, pool.onNotified(a, 0, 1, key, -1));
    assertEquals(NotifyVerdict.FORGED_LENGTH, pool.onNotified(a, 0, 1, key, SMALL));
    assertEquals(-1, region.notifiedBytes());
    assertEquals(RegionState.GRANTED, region.state());
    assertEquals(SMALL - 1, pool.outstandingBytes());
    fill(region, 10, 1);
    assertEquals(NotifyVerdict.DUPLICATE, pool.onNotified(a, 0, 1, key, 10));
    pool.onConsumed(region, 2, said);
    assertEquals(NotifyVerdict.STALE, pool.onNotified(a, 0, 1, key, 10));
    pool.revoke(region, 2, said);
    assertEquals(NotifyVerdict.REVOKED, pool.onNotified(a, 0, 2, key, 10));
    assertEquals(2, pool.counters().notifications(NotifyVerdict.FORGED_LENGTH));
  }

  @Test
  void shouldLetAWarmSenderFillAgainUnderTheSameKeyWithoutAsking() {
    RegionHolder a = asking("a", 3, 1_000, 1_000);
    grant(0);
    ReceiveRegion region = regionOf(a);
    long key = region.key();
    region.attachment("notification");
    fill(region, 1_000, 1);
    pool.onConsumed(region, 2, said);
    assertEquals(List.of("reused a 0 fill 2 16384"), said.take());
    assertEquals(key, region.key());
    assertNull(region.attachment());
    assertEquals(0, region.receivedBytes());
    assertEquals(-1, region.notifiedBytes());
    assertEquals(SMALL, pool.outstandingBytes());
  }

  @Test
  void shouldAuthoriseNothingOnReuseWhileOthersWaitForBudget() {
    pool = pool(List.of(4, 4), K64, 1 << 20, 0);
    RegionHolder a = asking("a", 3, K64, K64);
    grant(0);
    asking("b", 3, K64, K64);
    assertEquals(List.of("exhausted b"), grant(0));
    ReceiveRegion region = regionOf(a);
    fill(region, K64, 1);
    pool.onConsumed(region, 2, said);
    assertEquals(List.of("reused a 4 fill 2 0"), said.take());
    assertEquals(List.of("granted b 5 65536"), grant(2));
    pool.onDemand(a, 3, K64, K64);
    assertEquals(List.of(), grant(2));
    fill(pool.region(5), K64, 3);
    assertEquals(List.of("authorised a 4 65536"), grant(3));
  }

  @Test
  void shouldAskForWrongRecordsAgainWithinTheBudget() {
    pool = pool(List.of(4, 4), 3 * K64, 1 << 20, 0);
    RegionHolder a = asking("a", 3, 3 * K64, 3 * K64);
    grant(0);
    ReceiveRegion region = regionOf(a);
    fill(region, 2 * K64 + 100, 1);
    asking("b", 0, 2 * K64, 2 * K64);
    grant(1);
    assertEquals(2 * K64, pool.outstandingBytes());
    assertTrue(pool.onRecordBad(region, K64, K64, 2));
    assertTrue(pool.onRecordBad(region, 2 * K64, 100, 2));
    assertEquals(RegionState.WRITTEN, region.state());
    said.take();
    assertEquals(List.of("repair a 4 2"), grant(2));
    assertEquals(3 * K64, pool.outstandingBytes());
    write(pool.region(5), 100, 3);
    assertEquals(List.of("repair a 4 4"), grant(3));
    assertEquals(K64, pool.onWritten(region, K64, K64, 4));
    assertFalse(pool.isComplete(region));
    assertEquals(100, pool.onWritten(region, 2 * K64, 100, 4));
    assertTrue(pool.isComplete(region));
    pool.onConsuming(region);
    pool.onConsumed(region, 5, said);
    assertEquals(2, region.fill());
    assertEquals(2, pool.counters().badRecords());
    assertEquals(3 * K64, pool.peakOutstandingBytes());
  }

  @Test
  void shouldSayExhaustedOnceForEachRequestOfAHolderThatHasNothing() {
    pool = pool(List.of(1, 1), 1 << 20, 1 << 20, 0);
    asking("a", 3, 5 * K64, 4 * K64);
    RegionHolder b = asking("b", 3, K64, K64);
    assertEquals(2, grant(0).size());
    RegionHolder c = asking("c", 3, K64, K64);
    assertEquals(List.of("exhausted c"), grant(1));
    pool.onDemand(b, 3, 2 * K64, K64);
    assertEquals(List.of(), grant(1), "b has a region to go on with");
    pool.onDemand(c, 3, 2 * K64, K64);
    assertEquals(List.of("exhausted c"), grant(1));
    assertEquals(2, pool.counters().exhausted());
  }

  @Test
  void shouldMoveTheTimeOfTheLastWriteOnlyWithNewBytes() {
    RegionHolder a = asking("a", 3, SMALL, SMALL);
    grant(7);
    ReceiveRegion region = regionOf(a);
    assertEquals(7, region.lastWriteNs());
    write(region, 10, 20);
    assertEquals(20, region.lastWriteNs());
    assertEquals(0, pool.onWritten(region, 0, 10, 30));
    assertEquals(20, region.lastWriteNs());
    assertEquals(7, region.grantedNs());
  }

  @Test
  void shouldAuthoriseWholeStepsUnlessAllThatIsWantedFits() {
    pool = pool(List.of(4, 4), 100_000, 1 << 20, 0);
    asking("a", 3, 100_001, 4 * K64);
    assertEquals(List.of("granted a 4 65536"), grant(0));
    pool = pool(List.of(4, 4), 100_000, 1 << 20, 0);
    asking("a", 3, 100_000, 4 * K64);
    assertEquals(List.of("granted a 4 100000"), grant(0));
  }

  @Test
  void shouldRefuseWhatCannotHappen() {
    RegionHolder a = asking("a", 3, SMALL, SMALL);
    grant(0);
    ReceiveRegion region = regionOf(a);
    assertThrows(IllegalStateException.class, () -> pool.onConsuming(region));
    assertThrows(IllegalStateException.class, () -> pool.onConsumed(region, 1, said));
    assertThrows(IllegalStateException.class, () -> pool.onFailed(region, 1, said));
    assertThrows(NullPointerException.class, () -> pool.region(8));
    assertThrows(IllegalArgumentException.class, () -> pool(List.of(1), K64, K64, 0));
    assertThrows(IllegalArgumentException.class, () -> pool(List.of(1, 1), 1_000, K64, 0));
  }
}
