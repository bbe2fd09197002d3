package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Senders that take as many regions as possible and write no bytes, or next to no bytes. */
class RegionHoardTest extends RegionPoolFixture {
  private static final long STALL = 40_000;

  private RegionPool pool(long perHolder) {
    return new RegionPool(
        new RegionPoolSettings(
            List.of(K64),
            List.of(4),
            4 * K64,
            K64,
            perHolder,
            RegionReserve.NONE,
            true,
            new RegionTimes(IDLE_REVOKE, IDLE_TIMEOUT, STALL, QUARANTINE)),
        (region, endpoint) -> ++lastKey);
  }

  @Test
  void shouldTakeFromASilentHolderWhatOthersWaitFor() {
    pool = pool(4 * K64);
    asking("hoarder", 0, 4 * K64, K64);
    assertEquals(4, grant(0).size());
    RegionHolder other = asking("other", 7, K64, K64);
    assertEquals(List.of("exhausted other"), grant(1));
    pool.onDeadline(IDLE_REVOKE, said);
    assertEquals(List.of("released 0", "revoked hoarder 0 taken 0"), said.take());
    pool.onDeadline(IDLE_REVOKE + QUARANTINE, said);
    assertEquals(List.of("granted other 0 65536"), grant(IDLE_REVOKE + QUARANTINE));
    fill(regionOf(other), K64, 2_000);
    pool.onConsumed(regionOf(other), 2_000, said);
  }

  /** The hoarder only ever sends a single frame: the hoarder's demand is never met. */
  @Test
  void shouldGiveWhoLetsRegionsLieOneStep() {
    pool = pool(4 * K64);
    RegionHolder hoarder = asking("hoarder", 0, 1L << 40, 4 * K64);
    assertEquals(4, grant(0).size());
    RegionHolder other = asking("other", 3, 1L << 40, 4 * K64);
    grant(1);
    pool.onDeadline(IDLE_REVOKE, said);
    assertEquals(1, hoarder.regionCount(), "it may have been too early");
    said.take();

    long now = IDLE_REVOKE + QUARANTINE;
    pool.onDeadline(now, said);

    assertEquals(3, grant(now).size());
    assertEquals(3, other.regionCount());
    assertEquals(K64, hoarder.window().unwrittenBytes());
    int filled = 0;
    for (int round = 0; round < 100; round++) {
      now += IDLE_REVOKE;
      pool.onDeadline(now, said);
      grant(now);
      assertTrue(hoarder.window().unwrittenBytes() <= K64);
      filled += fillAll(other, now);
    }
    assertTrue(filled >= 200, filled + " regions in 100 rounds, of four");
  }

  private int fillAll(RegionHolder holder, long now) {
    int filled = 0;
    for (int i = 0; i < pool.regionCount(); i++) {
      ReceiveRegion region = pool.region(i);
      if (region.holder() == holder && region.isGranted() && region.authorisedBytes() > 0) {
        fill(region, region.authorisedBytes(), now);
        pool.onConsumed(region, now, said);
        filled++;
      }
    }
    grant(now);
    return filled;
  }

  @Test
  void shouldGiveMoreToWhoFillsWhatItGets() {
    pool = pool(4 * K64);
    RegionHolder late = asking("late", 0, 1L << 40, 4 * K64);
    grant(0);
    RegionHolder other = asking("other", 3, 4 * K64, K64);
    grant(1);
    pool.onDeadline(IDLE_REVOKE, said);
    pool.onDemand(other, 3, 0, K64);
    long now = IDLE_REVOKE + QUARANTINE;
    pool.onDeadline(now, said);
    grant(now);
    assertEquals(K64, late.window().unwrittenBytes());

    fillAll(late, ++now);
    assertEquals(2 * K64, late.window().unwrittenBytes());
    fillAll(late, ++now);
    assertEquals(4 * K64, late.window().unwrittenBytes());
    assertTrue(late.window().isBounded());
    fillAll(late, ++now);
    assertFalse(late.window().isBounded());
  }

  @Test
  void shouldTakeBackFillsThatWereBegunForTheSakeOfHolding() {
    pool = pool(4 * K64);
    RegionHolder hoarder = asking("hoarder", 0, 4 * K64, K64);
    grant(0);
    for (int i = 0; i < 4; i++) {
      write(pool.region(i), 1, i);
    }
    RegionHolder other = asking("other", 7, K64, K64);
    grant(5);
    said.take();
    for (long now = 6; now < STALL; now += 1_000) {
      pool.onDeadline(now, said);
      assertEquals(List.of(), grant(now));
    }
    assertEquals(STALL, pool.nextDeadlineNs());
    pool.onDeadline(STALL + 3, said);
    assertEquals(0, hoarder.regionCount());
    said.take();
    pool.onDeadline(STALL + 3 + QUARANTINE, said);
    assertTrue(grant(STALL + 3 + QUARANTINE).toString().startsWith("[granted other "));
    assertEquals(0, other.demandBytes());
  }

  @Test
  void shouldLeaveOthersWhatOneMayNotHold() {
    pool = pool(3 * K64);
    asking("hoarder", 0, 4 * K64, K64);
    assertEquals(3, grant(0).size());
    asking("other", 7, K64, K64);
    assertEquals(List.of("granted other 3 65536"), grant(0));
  }

  @Test
  void shouldTellALifetimeThatEndsBeforeTheRegionIsTakenBack() {
    pool = pool(4 * K64);
    RegionHolder a = asking("a", 0, K64, K64);
    grant(100);
    ReceiveRegion region = regionOf(a);
    long lifetimeNs = IDLE_TIMEOUT / 4 * 3;
    assertEquals(lifetimeNs, pool.lifetimeNs(region, 100));
    assertEquals(lifetimeNs - 900, pool.lifetimeNs(region, 1_000), "told later");
    assertEquals(1, pool.lifetimeNs(region, IDLE_TIMEOUT), "0 would be without end");
    fill(region, K64, 2_000);
    pool.onConsumed(region, 3_000, said);
    assertEquals(lifetimeNs, pool.lifetimeNs(region, 3_000));
    said.take();
    pool.onDeadline(3_000 + IDLE_TIMEOUT - 1, said);
    assertEquals(List.of(), said.take());
    pool.onDeadline(3_000 + IDLE_TIMEOUT, said);
    assertEquals(List.of("released 0", "revoked a 0 taken 1"), said.take());
    assertEquals(WriteVerdict.REVOKED, pool.check(a, 0, 2, region.key(), 0, 1));
    assertEquals(
        29_000_000_000L, new RegionTimes(1, 30_000_000_000L, 1, 0).lifetimeNs(), "1 s at most");
  }

  @Test
  void shouldTakeBackWhatItsOwnHolderLetGoAndNowMisses() {
    pool = pool(K64);
    RegionHolder a = asking("a", 0, K64, K64);
    grant(0);
    ReceiveRegion region = regionOf(a);
    fill(region, K64, 1_000);
    pool.onConsumed(region, 1_000, said);
    long lifetimeNs = IDLE_TIMEOUT / 4 * 3;
    long askingNs = 1_000 + lifetimeNs + 10;
    pool.onDemand(a, 0, K64, K64);
    said.take();
    assertEquals(List.of(), grant(askingNs), "it has the only region that it may have");
    long overNs = 1_000 + lifetimeNs + IDLE_REVOKE;
    assertEquals(overNs, pool.nextDeadlineNs());
    for (long now = askingNs; now < overNs; now += 500) {
      pool.onDeadline(now, said);
    }
    assertEquals(List.of(), said.take());
    pool.onDeadline(overNs, said);
    assertEquals(List.of("released 0", "revoked a 0 taken 1"), said.take());
    pool.onDeadline(overNs + QUARANTINE, said);
    assertEquals(List.of("granted a 0 65536"), grant(overNs + QUARANTINE));
  }

  @Test
  void shouldNotLetAWaitingHolderKeepForEverWhatItDoesNotUse() {
    pool = pool(4 * K64);
    RegionHolder a = asking("a", 0, 5 * K64, K64);
    assertEquals(4, grant(0).size());
    assertEquals(K64, a.demandBytes());
    for (long now = 0; now < IDLE_TIMEOUT; now += 400) {
      pool.onDeadline(now, said);
      grant(now);
    }
    assertTrue(pool.counters().revokedIdle() >= 4, "it waits, and it waits for itself");
  }

  @Test
  void shouldKeepATokenAsGoodAsNewThatWasGivenMore() {
    pool = pool(4 * K64);
    RegionHolder a = asking("a", 0, 100, 100);
    grant(0);
    pool.onDemand(a, 0, 100, K64);
    assertEquals(List.of("authorised a 0 200"), grant(5_000));
    assertEquals(IDLE_TIMEOUT / 4 * 3, pool.lifetimeNs(regionOf(a), 5_000));
  }

  @Test
  void shouldGrantTheSameSizesWhateverIsLeftEmptyIfNotAdaptive() {
    isAdaptive = false;
    pool = pool(List.of(4, 4), 1 << 20, 4 * K64, 0);
    RegionHolder a = asking("a", 3, 4 * K64, 4 * K64);
    grant(0);
    ReceiveRegion region = regionOf(a);
    for (int i = 0; i < 40; i++) {
      fill(region, 4_000, i);
      pool.onConsumed(region, i, said);
    }
    assertEquals(41, region.fill());
    pool.revoke(region, 50, said);
    pool.onDeadline(50 + QUARANTINE, said);
    said.take();
    pool.onDemand(a, 3, 4 * K64, 4 * K64);
    assertEquals(List.of("granted a 4 262144"), grant(600));
  }
}
