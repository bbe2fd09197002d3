package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Regions whose memory needs longer than the region's rest. */
class RegionRestTest extends RegionPoolFixture {
  /** Refuses to have memory used anew. */
  private static final class Refusing implements RegionSink {
    private int asked;
    private int refusals;

    @Override
    public void onGranted(RegionHolder holder, ReceiveRegion region) {}

    @Override
    public void onAuthorised(RegionHolder holder, ReceiveRegion region) {}

    @Override
    public void onReused(RegionHolder holder, ReceiveRegion region) {}

    @Override
    public void onRevoked(RegionHolder holder, int region, long key, int consumedFill) {}

    @Override
    public void onExhausted(RegionHolder holder) {}

    @Override
    public void onRepair(RegionHolder holder, ReceiveRegion region, long records) {}

    @Override
    public void onReleased(ReceiveRegion region) {}

    @Override
    public boolean onRested(ReceiveRegion region) {
      assertEquals(RegionState.QUARANTINED, region.state());
      asked++;
      return refusals-- <= 0;
    }
  }

  @Test
  void shouldRestAgainUntilItsMemoryCanBeUsedAnew() {
    Refusing sink = new Refusing();
    sink.refusals = 2;
    RegionHolder a = asking("a", 3, SMALL, SMALL);
    pool.grant(0, sink);
    ReceiveRegion region = regionOf(a);
    pool.revoke(region, 0, sink);
    pool.onDeadline(QUARANTINE - 1, sink);
    assertEquals(0, sink.asked);
    pool.onDeadline(QUARANTINE, sink);
    assertEquals(1, sink.asked);
    assertEquals(RegionState.QUARANTINED, region.state());
    assertEquals(2 * QUARANTINE, pool.nextDeadlineNs());
    pool.onDeadline(2 * QUARANTINE - 1, sink);
    assertEquals(1, sink.asked);
    pool.onDeadline(2 * QUARANTINE, sink);
    assertEquals(RegionState.QUARANTINED, region.state());
    pool.onDeadline(3 * QUARANTINE, sink);
    assertEquals(3, sink.asked);
    assertEquals(RegionState.FREE, region.state());
    assertEquals(4, pool.freeRegions(0));
  }
}
