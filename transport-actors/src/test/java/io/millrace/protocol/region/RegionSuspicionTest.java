package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The fate of the regions of a holder whose peer seems to be gone. */
class RegionSuspicionTest extends RegionPoolFixture {
  @Test
  void shouldRevokeAllAtOnceAndGrantNothingUntilThePeerIsHeardOf() {
    pool = pool(List.of(2, 2), 1 << 20, 1 << 20, 0);
    RegionHolder a = asking("a", 3, 10L * SMALL, SMALL);
    assertEquals(4, grant(0).size());
    write(regionOf(a), SMALL / 2, 1);
    RegionHolder b = asking("b", 3, SMALL, SMALL);
    grant(1);
    pool.onHolderSuspected(a, 2, said);
    assertEquals(4, said.take().stream().filter(line -> line.startsWith("revoked a")).count());
    assertEquals(0, a.regionCount());
    assertEquals(0, a.demandBytes());
    assertEquals(0, pool.outstandingBytes());
    pool.onHolderSuspected(a, 3, said);
    pool.onAhead(a, K64);
    pool.onDeadline(2 + QUARANTINE, said);
    said.take();
    assertEquals(List.of("granted b 1 16384"), grant(2 + QUARANTINE));
    assertEquals(1, b.regionCount());
    pool.onHolderTrusted(a);
    assertEquals(6L * SMALL, a.demandBytes(), "what it wanted and was not granted");
    assertEquals(3, grant(3 + QUARANTINE).size());
    pool.onHolderTrusted(a);
    assertEquals(3, a.regionCount());
  }

  @Test
  void shouldLetAReaderFinishAndSayThatItsFillWasTaken() {
    RegionHolder a = asking("a", 3, SMALL, SMALL);
    grant(0);
    ReceiveRegion region = regionOf(a);
    fill(region, SMALL, 1);
    said.take();
    pool.onHolderSuspected(a, 2, said);
    assertEquals(List.of("released 0"), said.take());
    pool.onConsumed(region, 3, said);
    assertEquals(List.of("revoked a 0 taken 1"), said.take());
  }

  @Test
  void shouldEndASuspectedHolderForGood() {
    RegionHolder a = asking("a", 3, 10L * SMALL, SMALL);
    grant(0);
    pool.onHolderSuspected(a, 1, said);
    assertTrue(a.isSuspected());
    pool.onHolderClosed(a, 2, said);
    pool.onHolderTrusted(a);
    pool.onDeadline(2 + QUARANTINE, said);
    said.take();
    assertEquals(List.of(), grant(2 + QUARANTINE));
    RegionHolder closed = pool.open("closed");
    pool.onHolderClosed(closed, 3, said);
    pool.onHolderSuspected(closed, 4, said);
    assertFalse(closed.isSuspected());
  }
}
