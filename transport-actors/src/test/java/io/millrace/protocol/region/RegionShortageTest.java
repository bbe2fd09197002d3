package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The senders that miss regions in the hands of application threads, and the moments of the
 * shortage.
 */
class RegionShortageTest extends RegionPoolFixture {
  private RegionPool pool(int regions, long perHolder) {
    return new RegionPool(
        new RegionPoolSettings(
            List.of(K64),
            List.of(regions),
            4L * K64,
            K64,
            perHolder,
            RegionReserve.NONE,
            true,
            new RegionTimes(IDLE_REVOKE, IDLE_TIMEOUT, IDLE_TIMEOUT, QUARANTINE)),
        (region, endpoint) -> ++lastKey);
  }

  private RegionHolder reading(String name, int regions) {
    RegionHolder holder = asking(name, 3, (long) regions * K64, K64);
    grant(0);
    for (int i = 0; i < pool.regionCount(); i++) {
      ReceiveRegion region = pool.region(i);
      if (region.holder() == holder) {
        fill(region, K64, 0);
      }
    }
    return holder;
  }

  @Test
  void shouldMissRegionsOnlyWhenSomebodyWaitsForThem() {
    pool = pool(4, 2 * K64);
    RegionHolder holder = reading("a", 2);
    assertEquals(2, holder.regionCount());
    assertFalse(pool.pollShortage(5), "nobody waits");
    assertFalse(pool.isWanted(pool.region(0)));

    pool.onDemand(holder, 3, K64, K64);
    assertFalse(pool.pollShortage(5), "it may yet get something");
    grant(5);
    assertTrue(pool.isWanted(pool.region(0)), "it has what it may have, and wants more");
    assertTrue(pool.pollShortage(5));
    assertFalse(pool.pollShortage(4 + IDLE_REVOKE));
    assertEquals(5 + IDLE_REVOKE, pool.nextDeadlineNs());
    assertTrue(pool.pollShortage(5 + IDLE_REVOKE));

    pool.onFailed(pool.region(0), 9, said);
    grant(9);
    assertEquals(2, holder.regionCount(), "it got another");
    assertEquals(0, holder.demandBytes());
    assertFalse(pool.pollShortage(9 + 9 * IDLE_REVOKE), "nobody waits any more");
    assertFalse(pool.isWanted(pool.region(1)));
  }

  @Test
  void shouldMissTheRegionsOfAllWhereThereAreNone() {
    pool = pool(4, 4 * K64);
    reading("a", 3);
    RegionHolder b = reading("b", 1);
    ReceiveRegion voided = pool.region(0);
    pool.revoke(voided, 4, said);
    RegionHolder c = asking("c", 7, K64, K64);
    grant(5);
    assertTrue(pool.pollShortage(5));
    for (int i = 0; i < 4; i++) {
      assertTrue(pool.isWanted(pool.region(i)), "region " + i);
    }
    pool.onFailed(voided, 6, said);
    assertFalse(pool.isWanted(voided), "it is not read any more");
    pool.onHolderClosed(c, 7, said);
    grant(7);
    assertFalse(pool.isWanted(regionOf(b)));
  }

  @Test
  void shouldNotMissTheRegionsOfOthersForAHolderThatHasAllItMayHave() {
    pool = pool(4, K64);
    RegionHolder a = reading("a", 1);
    RegionHolder b = reading("b", 1);
    pool.onDemand(b, 3, K64, K64);
    grant(5);
    assertTrue(pool.pollShortage(5));
    assertTrue(pool.isWanted(regionOf(b)));
    assertFalse(pool.isWanted(regionOf(a)));
    pool.onHolderSuspected(b, 6, said);
    grant(6);
    assertFalse(pool.pollShortage(6 + IDLE_REVOKE), "it is silent");
  }
}
