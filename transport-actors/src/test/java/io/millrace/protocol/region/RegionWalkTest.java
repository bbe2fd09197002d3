package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Regions of a real pool: every legal edge by the pool's inputs, and a refusal of every illegal
 * edge.
 */
class RegionWalkTest extends RegionPoolFixture {
  private static final long LATER = 10_000;

  @ParameterizedTest
  @EnumSource(RegionState.class)
  void shouldFollowTheTableFromEveryState(RegionState from) {
    for (RegionEvent event : RegionEvent.values()) {
      pool = pool(List.of(1, 1), 1 << 20, 1 << 20, 0);
      ReceiveRegion region = pool.region(0);
      bring(region, from);
      assertEquals(from, region.state());
      RegionState next = RegionTransitions.next(from, event);
      if (next == null) {
        assertThrows(IllegalStateException.class, () -> region.move(event), from + " " + event);
        assertEquals(from, region.state());
      } else {
        apply(region, event);
        assertEquals(next, region.state(), from + " " + event);
      }
      RegionState now = region.state();
      assertEquals(now == RegionState.FREE ? 1 : 0, pool.freeRegions(0));
      assertEquals(now == RegionState.FREE, region.holder() == null);
    }
  }

  @ParameterizedTest
  @EnumSource(RegionState.class)
  void shouldLetBytesLandOnlyWhereTheTableHasAWrite(RegionState from) {
    ReceiveRegion region = pool.region(0);
    RegionHolder sender = bring(region, from);
    boolean isLegal = RegionTransitions.next(from, RegionEvent.WRITE) != null;
    WriteVerdict verdict = check(sender, region, 0, 1);
    assertEquals(isLegal, verdict == WriteVerdict.OK, verdict.name());
  }

  private RegionHolder bring(ReceiveRegion region, RegionState to) {
    RegionHolder holder = pool.open("a");
    if (to != RegionState.FREE) {
      pool.onDemand(holder, 3, SMALL, SMALL);
      grant(0);
    }
    switch (to) {
      case FREE, GRANTED -> {}
      case WRITTEN -> write(region, SMALL - 1, 1);
      case CONSUMING -> fill(region, SMALL, 1);
      case REVOKING -> {
        fill(region, SMALL, 1);
        pool.revoke(region, 2, said);
      }
      case QUARANTINED -> pool.revoke(region, 2, said);
    }
    return holder;
  }

  private void apply(ReceiveRegion region, RegionEvent event) {
    switch (event) {
      case GRANT -> {
        asking("b", 3, SMALL, SMALL);
        assertFalse(grant(3).isEmpty());
      }
      case WRITE -> assertTrue(pool.onWritten(region, region.receivedBytes(), 1, 3) > 0);
      case CONSUME -> pool.onDiscarded(region);
      case RECORD_BAD -> {
        boolean isRepaired = region.state() != RegionState.REVOKING;
        assertEquals(isRepaired, pool.onRecordBad(region, 0, SMALL, 3));
      }
      case REUSE -> pool.onConsumed(region, 3, said);
      case REVOKE -> pool.revoke(region, 3, said);
      case FINISH -> pool.onFailed(region, 3, said);
      case QUIESCE -> pool.onDeadline(LATER, said);
    }
  }
}
