package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The forecast of the wait that a waiting sender gets. */
class RegionForecastTest extends RegionPoolFixture {
  @Test
  void shouldNameTheMomentAtWhichSomethingMayComeFreeAtFirst() {
    pool = pool(List.of(1, 1), 1 << 20, 1 << 20, 0);
    RegionHolder a = asking("a", 3, SMALL + 4 * K64, 4 * K64);
    assertEquals(List.of("granted a 1 262144", "granted a 0 16384"), grant(0));
    RegionHolder b = asking("b", 3, SMALL, SMALL);
    assertEquals(List.of("exhausted b"), grant(100));
    assertEquals(IDLE_REVOKE - 100, pool.estimateNs(b, 100));
    write(pool.region(0), SMALL, 200);
    write(pool.region(1), 1, 200);
    assertEquals(IDLE_TIMEOUT, pool.estimateNs(b, 200), "nothing lies unused any more");
    assertEquals(0, a.demandBytes());
  }

  @Test
  void shouldCountTheTurnsAheadAndWhatTheyTookLately() {
    pool = pool(List.of(1, 1), 1 << 20, 1 << 20, 0);
    RegionHolder a = asking("a", 3, SMALL + 4 * K64, 4 * K64);
    grant(0);
    asking("b", 3, 1 << 20, 4 * K64);
    RegionHolder c = asking("c", 5, SMALL, SMALL);
    RegionHolder d = asking("d", 5, SMALL, SMALL);
    grant(1_000);
    assertEquals(pool.nextDeadlineNs() - 1_000, pool.estimateNs(d, 1_000), "no turn was seen");
    pool.revoke(pool.region(1), 1_000, said);
    pool.onDeadline(1_000 + QUARANTINE, said);
    said.take();
    assertEquals(List.of("granted b 1 262144"), grant(1_000 + QUARANTINE));
    long turnNs = QUARANTINE;
    assertEquals(3 * turnNs, pool.estimateNs(c, 1_500), "b, and two of the same priority");
    assertEquals(3 * turnNs, pool.estimateNs(d, 1_500));
    assertEquals(3 * 700, pool.estimateNs(d, 2_200), "a drought that is longer than a turn was");
    pool.onHolderClosed(a, 2_300, said);
    pool.onDeadline(2_300 + QUARANTINE, said);
    said.take();
    assertEquals(List.of("granted b 0 16384"), grant(2_800));
    long shorterNs = turnNs + (1_300 - turnNs) / 8;
    assertEquals(3 * shorterNs, pool.estimateNs(d, 2_800));
  }

  @Test
  void shouldNotPromiseMoreThanAMinuteNorKnowWithoutCause() {
    pool = pool(List.of(1, 1), 1 << 20, 1 << 20, 0);
    RegionHolder a = pool.open("a");
    assertEquals(0, pool.estimateNs(a, 5));
    RegionForecast forecast = new RegionForecast();
    assertEquals(RegionForecast.UNKNOWN, forecast.estimateNs(1, 9));
    forecast.onPass(10, 3, true);
    assertEquals(RegionForecast.UNKNOWN, forecast.estimateNs(1, 11), "nobody had waited");
    forecast.onPass(30, 2, true);
    assertEquals(10, forecast.estimateNs(1, 30));
    forecast.onPass(40, 0, false);
    forecast.onPass(1_000, 1, true);
    assertEquals(10, forecast.estimateNs(1, 1_000), "a time without demand is no drought");
  }

  @Test
  void shouldTellEachHolderOnceForEachRequestWhateverTheirNumber() {
    pool = pool(List.of(1, 1), 1 << 20, 1 << 20, 0);
    asking("a", 0, SMALL + 4 * K64, 4 * K64);
    grant(0);
    RegionHolder b = asking("b", 3, SMALL, SMALL);
    asking("c", 1, SMALL, SMALL);
    pool.onDemand(b, 3, 2 * SMALL, SMALL);
    RegionHolder d = asking("d", 1, SMALL, SMALL);
    pool.onDemand(d, 1, 0, 1);
    assertEquals(List.of("exhausted b", "exhausted c"), grant(1));
    pool.revoke(pool.region(0), 1, said);
    pool.onDeadline(1 + QUARANTINE, said);
    said.take();
    assertEquals(List.of("granted c 0 16384"), grant(1 + QUARANTINE));
    pool.onDemand(b, 3, SMALL, SMALL);
    assertEquals(List.of("exhausted b"), grant(1 + QUARANTINE));
  }
}
