package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Standstills found by simulated clusters. */
class RegionProgressTest extends RegionPoolFixture {
  private static final int TAIL = 20_000;

  private RegionPool poolOf(int regions, long budget) {
    return new RegionPool(
        new RegionPoolSettings(
            List.of(4 * K64),
            List.of(regions),
            budget,
            K64,
            1 << 20,
            RegionReserve.NONE,
            true,
            TIMES),
        (region, endpoint) -> ++lastKey);
  }

  @Test
  void shouldCompleteAStepThatWasBegunWhenThereIsNoRoomForAWholeOne() {
    pool = poolOf(2, K64 + TAIL);
    RegionHolder holder = asking("a", 3, TAIL, 4 * K64);
    grant(0);
    assertEquals(TAIL, regionOf(holder).authorisedBytes());
    pool.onDemand(holder, 3, 4 * K64, 4 * K64);
    grant(1);
    assertEquals(K64, regionOf(holder).authorisedBytes());
    assertEquals(K64, pool.outstandingBytes());
  }

  @Test
  void shouldTakeBackWhatItsOwnHolderCannotUse() {
    pool = poolOf(2, K64 + 2 * TAIL - 1);
    RegionHolder holder = asking("a", 3, TAIL, TAIL);
    grant(0);
    pool.onDemand(holder, 3, TAIL, TAIL);
    grant(0);
    assertEquals(2, holder.regionCount());
    pool.onDemand(holder, 3, 4 * K64, 4 * K64);
    pool.onDemand(holder, 3, 4 * K64, 4 * K64);
    grant(1);
    long outstanding = pool.outstandingBytes();
    pool.onDeadline(IDLE_REVOKE + QUARANTINE, said);
    pool.onDeadline(IDLE_REVOKE + 2 * QUARANTINE, said);
    said.take();
    grant(IDLE_REVOKE + 2 * QUARANTINE);
    assertTrue(
        outstanding >= K64 || pool.outstandingBytes() >= K64,
        outstanding + " then " + pool.outstandingBytes());
  }

  @Test
  void shouldLeaveARegionForAsLongAsItsSenderNeedsToUseIt() {
    pool = poolOf(1, 1 << 20);
    RegionHolder slow = asking("slow", 3, K64, K64);
    pool.onAnswerTime(slow, 5 * IDLE_REVOKE);
    grant(0);
    asking("other", 3, K64, K64);
    grant(0);
    assertEquals(5 * IDLE_REVOKE, pool.nextDeadlineNs());
    pool.onDeadline(5 * IDLE_REVOKE - 1, said);
    assertEquals(1, slow.regionCount());
    pool.onDeadline(5 * IDLE_REVOKE, said);
    assertEquals(0, slow.regionCount());
  }

  @Test
  void shouldWaitLongerForWhoLostARegionUnused() {
    pool = poolOf(1, 1 << 20);
    RegionHolder slow = asking("slow", 3, K64, K64);
    long patienceNs = IDLE_REVOKE;
    long nowNs = 0;
    for (int i = 0; i < 6; i++) {
      grant(nowNs);
      ReceiveRegion region = regionOf(slow);
      RegionHolder other = asking("other " + i, 7, K64, K64);
      grant(nowNs);
      assertEquals(nowNs + patienceNs, pool.nextDeadlineNs(), "round " + i);
      nowNs += patienceNs;
      pool.onDeadline(nowNs, said);
      assertEquals(0, slow.regionCount());
      pool.onDemand(other, 7, 0, 0);
      pool.onDemand(slow, 3, K64, K64);
      nowNs += QUARANTINE;
      pool.onDeadline(nowNs, said);
      patienceNs = Math.min(2 * patienceNs, 16 * IDLE_REVOKE);
      assertEquals(RegionState.FREE, region.state());
    }
    grant(nowNs);
    fill(regionOf(slow), K64, nowNs);
    pool.onConsumed(regionOf(slow), nowNs, said);
    asking("last", 7, 4 * K64, 4 * K64);
    grant(nowNs);
    assertEquals(nowNs + 8 * IDLE_REVOKE, pool.nextDeadlineNs());
  }

  @Test
  void shouldKnowASenderWhoseRegionsAllWaitForWhatItCannotWrite() {
    pool = poolOf(1, 1 << 20);
    RegionHolder holder = asking("a", 3, 4L * K64, 4 * K64);
    grant(0);
    ReceiveRegion region = regionOf(holder);
    assertFalse(pool.isStarved(holder, 2 * IDLE_REVOKE));
    fill(region, 4 * K64, 1);
    assertFalse(pool.isStarved(holder, 2 * IDLE_REVOKE));
    pool.onDemand(holder, 3, K64, K64);
    grant(1);
    assertFalse(pool.isStarved(holder, IDLE_REVOKE));
    assertTrue(pool.isStarved(holder, 1 + IDLE_REVOKE));
    pool.onFailed(region, 1 + IDLE_REVOKE, said);
    assertFalse(pool.isStarved(holder, 1 + IDLE_REVOKE));
  }

  @Test
  void shouldKnowASenderWhoseRevokedRegionsWaitForWhatItCannotWrite() {
    pool = poolOf(1, 1 << 20);
    RegionHolder holder = asking("a", 3, 4L * K64, 4 * K64);
    grant(0);
    ReceiveRegion region = regionOf(holder);
    fill(region, 4 * K64, 1);
    pool.onHolderSuspected(holder, 2, said);
    assertFalse(pool.isStarved(holder, 1 + IDLE_REVOKE), "it wants nothing");
    pool.onHolderTrusted(holder);
    pool.onDemand(holder, 3, K64, K64);
    grant(3);
    assertEquals(0, holder.regionCount());
    assertFalse(pool.isStarved(holder, IDLE_REVOKE));
    assertTrue(pool.isStarved(holder, 1 + IDLE_REVOKE));
    pool.onFailed(region, 1 + IDLE_REVOKE, said);
    assertFalse(pool.isStarved(holder, 1 + IDLE_REVOKE));
    assertEquals(0, holder.unreadRegions());
  }
}
