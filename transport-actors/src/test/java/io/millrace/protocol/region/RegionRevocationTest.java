package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The moment at which the pool takes a region from its holder, and the steps until the next grant.
 */
class RegionRevocationTest extends RegionPoolFixture {
  @Test
  void shouldTakeALargerThenASmallerRegionWhenTheFittingOnesAreGone() {
    pool = pool(List.of(4, 4), 1 << 20, 2 << 20, 0);
    asking("a", 3, 9L * SMALL, SMALL);
    List<String> granted = grant(0);
    assertEquals(8, granted.size());
    assertEquals("granted a 3 16384", granted.get(3));
    assertEquals("granted a 4 16384", granted.get(4));
    pool = pool(List.of(4, 1), 1 << 20, 1 << 20, 0);
    asking("b", 3, 5L * K64, 4 * K64);
    assertEquals(List.of("granted b 4 262144", "granted b 0 16384"), grant(0).subList(0, 2));
  }

  @Test
  void shouldRevokeAfterConsumptionWhenOthersWaitForMemory() {
    pool = pool(List.of(1, 1), 1 << 20, 1 << 20, 0);
    RegionHolder a = asking("a", 3, K64, K64);
    grant(0);
    RegionHolder c = asking("c", 3, SMALL, SMALL);
    grant(0);
    asking("b", 3, K64, K64);
    assertEquals(List.of("exhausted b"), grant(0));
    ReceiveRegion region = regionOf(a);
    long key = region.key();
    fill(region, K64, 1);
    pool.onConsumed(region, 2, said);
    assertEquals(List.of("released 1", "revoked a 1 taken 1"), said.take());
    assertEquals(RegionState.QUARANTINED, region.state());
    ReceiveRegion small = regionOf(c);
    fill(small, SMALL, 2);
    pool.onConsumed(small, 2, said);
    assertTrue(said.take().get(0).startsWith("reused c"), "what is on its way is enough");
    assertEquals(List.of(), grant(2));
    assertEquals(2 + QUARANTINE, pool.nextDeadlineNs());
    pool.onDeadline(1 + QUARANTINE, said);
    assertEquals(RegionState.QUARANTINED, region.state());
    pool.onDeadline(2 + QUARANTINE, said);
    assertEquals(RegionState.FREE, region.state());
    assertEquals(List.of("granted b 1 65536"), grant(2 + QUARANTINE));
    assertNotEquals(key, region.key());
    assertEquals(1, region.fill());
  }

  @Test
  void shouldLetAReaderFinishBeforeTheQuarantine() {
    RegionHolder a = asking("a", 3, SMALL, SMALL);
    grant(0);
    ReceiveRegion region = regionOf(a);
    fill(region, SMALL, 1);
    said.take();
    pool.revoke(region, 2, said);
    assertEquals(List.of("released 0"), said.take());
    assertEquals(RegionState.REVOKING, region.state());
    assertFalse(pool.onRecordBad(region, 0, SMALL, 2));
    pool.onDeadline(2 + 10 * QUARANTINE, said);
    assertEquals(RegionState.REVOKING, region.state());
    pool.revoke(region, 3, said);
    pool.onConsumed(region, 10_000, said);
    assertEquals(List.of("revoked a 0 taken 1"), said.take());
    pool.onDeadline(10_000 + QUARANTINE, said);
    assertEquals(RegionState.FREE, region.state());
    assertNull(region.holder());
  }

  @Test
  void shouldGiveUpAFillThatCannotBeRead() {
    RegionHolder a = asking("a", 3, SMALL, SMALL);
    grant(0);
    ReceiveRegion region = regionOf(a);
    fill(region, SMALL, 1);
    said.take();
    pool.onFailed(region, 2, said);
    assertEquals(List.of("released 0", "revoked a 0 taken 0"), said.take());
    assertEquals(0, a.grantedBytes());
  }

  @Test
  void shouldTakeEverythingFromAClosedPathAtOnce() {
    RegionHolder a = asking("a", 3, 3 * SMALL, SMALL);
    grant(0);
    fill(pool.region(0), SMALL, 1);
    write(pool.region(1), 10, 1);
    pool.onDemand(a, 5, 1 << 20, K64);
    pool.onHolderClosed(a, 2, said);
    assertEquals(List.of("released 0", "released 1", "released 2"), said.take());
    assertEquals(0, pool.outstandingBytes());
    assertEquals(0, pool.grantedBytes());
    assertEquals(RegionState.REVOKING, pool.region(0).state());
    assertEquals(RegionState.QUARANTINED, pool.region(1).state());
    pool.onDemand(a, 3, 1, 1);
    assertEquals(List.of(), grant(3));
    pool.onConsumed(pool.region(0), 4, said);
    pool.onDeadline(4 + QUARANTINE, said);
    assertEquals(List.of(), said.take());
    assertEquals(4, pool.freeRegions(0));
    assertEquals(Long.MAX_VALUE, pool.nextDeadlineNs());
  }

  @Test
  void shouldRevokeTheLongestIdleUnderPressureAndNoMoreThanIsWanted() {
    pool = pool(List.of(1, 3), 1 << 20, 1 << 20, 0);
    for (int i = 0; i < 3; i++) {
      asking("a" + i, 3, K64, K64);
      grant(i);
    }
    fill(pool.region(1), K64, 3);
    pool.onConsumed(pool.region(1), 3, said);
    said.take();
    pool.onDeadline(5_000, said);
    assertEquals(List.of(), said.take(), "nobody waits");
    asking("s", 3, SMALL, SMALL);
    grant(5_000);
    asking("b", 0, K64, K64);
    assertEquals(List.of("exhausted b"), grant(5_000));
    assertEquals(1 + IDLE_REVOKE, pool.nextDeadlineNs());
    pool.onDeadline(5_000, said);
    assertEquals(List.of("released 2", "revoked a1 2 taken 0"), said.take());
    assertEquals(1, pool.counters().revokedUnderPressure());
    pool.onDeadline(5_000 + QUARANTINE, said);
    assertEquals(List.of("granted b 2 65536"), grant(5_000 + QUARANTINE));
  }

  @Test
  void shouldRevokeWhatLiesUnusedOrMakesNoProgressForTooLong() {
    RegionHolder a = asking("a", 3, 3 * SMALL, SMALL);
    grant(0);
    write(pool.region(1), 10, 50);
    fill(pool.region(2), SMALL, 60);
    assertEquals(IDLE_TIMEOUT, pool.nextDeadlineNs());
    pool.onDeadline(IDLE_TIMEOUT - 1, said);
    assertEquals(List.of(), said.take());
    pool.onDeadline(IDLE_TIMEOUT, said);
    assertEquals(List.of("released 0", "revoked a 0 taken 0"), said.take());
    pool.onDeadline(IDLE_TIMEOUT + 50, said);
    assertEquals(List.of("released 1", "revoked a 1 taken 0"), said.take());
    pool.onDeadline(10 * IDLE_TIMEOUT, said);
    assertEquals(List.of(), said.take(), "a reader is never interrupted");
    assertEquals(2, pool.counters().revokedIdle());
    assertEquals(SMALL, a.grantedBytes());
  }

  @Test
  void shouldKeepAFillThatWaitsForThisSide() {
    pool = pool(List.of(4, 4), K64, 1 << 20, 0);
    RegionHolder a = asking("a", 3, 2 * K64, 2 * K64);
    grant(0);
    ReceiveRegion region = regionOf(a);
    write(region, K64, 1);
    asking("b", 0, K64, K64);
    grant(1);
    pool.onDeadline(1 + IDLE_TIMEOUT, said);
    assertEquals(RegionState.WRITTEN, region.state());
    assertEquals(0, pool.counters().revokedIdle() - 1, "only what b left unused");
  }

  @Test
  void shouldGiveSmallerRegionsToWhoLeavesThemEmptyAndLargerOnesAgain() {
    pool = pool(List.of(4, 4), 1 << 20, 4 * K64, 0);
    RegionHolder a = asking("a", 3, 4 * K64, 4 * K64);
    grant(0);
    ReceiveRegion region = regionOf(a);
    for (int i = 0; i < 7; i++) {
      fill(region, 4_000, i);
      pool.onConsumed(region, i, said);
    }
    assertEquals(8, region.fill());
    fill(region, 4_000, 8);
    said.take();
    pool.onConsumed(region, 8, said);
    assertEquals(List.of("released 4", "revoked a 4 taken 8"), said.take());
    pool.onDemand(a, 3, 4 * K64, 4 * K64);
    assertEquals(
        List.of("granted a 0 16384", "granted a 1 16384", "granted a 2 16384", "granted a 3 16384"),
        grant(9));
    for (int i = 0; i < 4; i++) {
      fill(pool.region(0), SMALL, 10);
      pool.onConsumed(pool.region(0), 10, said);
    }
    for (int i = 0; i < 4; i++) {
      pool.revoke(pool.region(i), 11, said);
    }
    pool.onDeadline(11 + QUARANTINE, said);
    said.take();
    assertEquals(4, pool.freeRegions(0));
    assertEquals("granted a 4 131072", grant(12 + QUARANTINE).get(0));
  }

  @Test
  void shouldNeverGrantUnderAKeyThatWasUsed() {
    RegionHolder a = pool.open("a");
    long key = 0;
    for (int i = 0; i < 50; i++) {
      pool.onDemand(a, 3, SMALL, SMALL);
      grant(i * 1_000L);
      ReceiveRegion region = regionOf(a);
      assertTrue(region.key() > key);
      key = region.key();
      assertEquals(1, region.fill());
      assertEquals(i * 1_000L, region.grantedNs());
      pool.revoke(region, i * 1_000L, said);
      pool.onDeadline(i * 1_000L + QUARANTINE, said);
    }
    assertSame("a", a.owner());
  }

  @Test
  void shouldTellTheLastFillTakenWhenAnIdleRegionIsRevoked() {
    RegionHolder a = asking("a", 3, SMALL, SMALL);
    grant(0);
    ReceiveRegion region = regionOf(a);
    fill(region, SMALL, 1);
    pool.onConsumed(region, 2, said);
    said.take();
    pool.revoke(region, 3, said);
    assertEquals(List.of("released 0", "revoked a 0 taken 1"), said.take());
  }

  @Test
  void shouldRevokeAfterConsumptionFromWhoHasMoreThanItsShareOrWantsNothing() {
    pool = pool(List.of(1, 3), 2 << 20, 2 << 20, 0);
    RegionHolder a = asking("a", 3, 2 << 20, 4 * K64);
    grant(0);
    assertEquals(4, a.regionCount());
    asking("worse", 5, K64, K64);
    grant(0);
    fill(pool.region(1), 4 * K64, 1);
    pool.onConsumed(pool.region(1), 1, said);
    assertEquals(4, a.regionCount(), "a worse priority takes nothing from who wants more");
    asking("equal", 3, K64, K64);
    grant(1);
    fill(pool.region(2), 4 * K64, 2);
    pool.onConsumed(pool.region(2), 2, said);
    assertEquals(3, a.regionCount());
    pool.onDemand(a, 3, 0, 1);
    pool.onDeadline(2 + QUARANTINE, said);
    grant(3 + QUARANTINE);
    fill(pool.region(3), 4 * K64, 1_000);
    pool.onConsumed(pool.region(3), 1_000, said);
    assertEquals(2, a.regionCount());
  }

  @Test
  void shouldNotRevokeForBudgetWhatTakesNoneOfIt() {
    pool = pool(List.of(4, 4), K64, 1 << 20, 0);
    RegionHolder a = asking("a", 3, K64, K64);
    grant(0);
    asking("b", 3, K64, K64);
    grant(0);
    fill(pool.region(4), K64, 1);
    pool.onConsumed(pool.region(4), 1, said);
    grant(1);
    asking("c", 3, K64, K64);
    grant(1);
    said.take();
    pool.onDeadline(1 + IDLE_REVOKE, said);
    assertEquals(List.of("released 5", "revoked b 5 taken 0"), said.take());
    assertEquals(1, a.regionCount());
  }

  @Test
  void shouldTakeWhatItsHolderDoesNotUseSoThatARecordCanBeRepeated() {
    pool = pool(List.of(1, 4), 3 * K64, 1 << 20, 0);
    RegionHolder a = asking("a", 3, 2 * K64, 2 * K64);
    grant(0);
    ReceiveRegion filled = regionOf(a);
    fill(filled, 2 * K64, 1);
    pool.onDemand(a, 3, 3 * K64, 3 * K64);
    grant(1);
    ReceiveRegion unused = pool.region(filled.index() + 1);
    assertEquals(3 * K64, pool.outstandingBytes());
    assertTrue(pool.onRecordBad(filled, 0, K64, 2));
    assertEquals(List.of(), grant(2));
    assertEquals(1 + IDLE_REVOKE, pool.nextDeadlineNs());
    said.take();
    pool.onDeadline(1 + IDLE_REVOKE, said);
    assertEquals(RegionState.QUARANTINED, unused.state());
    said.take();
    assertEquals(List.of("repair a " + filled.index() + " 1"), grant(1 + IDLE_REVOKE));
  }
}
