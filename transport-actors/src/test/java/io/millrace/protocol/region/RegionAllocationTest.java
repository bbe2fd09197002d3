package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A warm path goes on without memory of its own: both sides, fill after fill, grant after grant.
 */
class RegionAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int SIZE = 256 * 1024;
  private static final int CHUNK = 8 * 1024;
  private static final int FILLS = 2_000;

  private final TokenCache cache = new TokenCache(16);
  private final TokenDemand demand = new TokenDemand(1_000_000, 1);
  private final TokenGrant grant = new TokenGrant();
  private final Told told = new Told();
  private long lastKey;
  private final RegionPool pool =
      new RegionPool(
          new RegionPoolSettings(
              List.of(SIZE),
              List.of(4),
              SIZE / 2,
              65_536,
              4 * SIZE,
              RegionReserve.NONE,
              true,
              new RegionTimes(1_000, 10_000, 10_000, 100)),
          (region, endpoint) -> ++lastKey);
  private final RegionHolder holder = pool.open("a");
  private long nowNs;

  /** Passes the pool's decisions to the sender at once. */
  private final class Told implements RegionSink {
    @Override
    public void onGranted(RegionHolder to, ReceiveRegion region) {
      onAuthorised(to, region);
    }

    @Override
    public void onAuthorised(RegionHolder to, ReceiveRegion region) {
      grant.of(region.index(), region.fill(), region.key());
      grant.with(0, region.sizeBytes(), region.authorisedBytes(), 0);
      cache.onGrant(grant, nowNs);
    }

    @Override
    public void onReused(RegionHolder to, ReceiveRegion region) {
      cache.onConsumed(
          region.index(), region.fill() - 1, region.key(), region.authorisedBytes(), false, 0);
    }

    @Override
    public void onRevoked(RegionHolder to, int region, long key, int consumedFill) {
      cache.onRevoked(region, key);
    }

    @Override
    public void onExhausted(RegionHolder to) {}

    @Override
    public void onRepair(RegionHolder to, ReceiveRegion region, long records) {}

    @Override
    public void onReleased(ReceiveRegion region) {}
  }

  private void run() {
    for (int i = 0; i < FILLS; i++) {
      nowNs += 10;
      demand.onDesired(3, SIZE, SIZE);
      while (demand.desiredBytes(3) > 0) {
        demand.onUsable(cache.usableBytes());
        if (demand.isRequestDue(nowNs)) {
          pool.onDemand(holder, 3, demand.wantedBytes(3), demand.largestBytes(3));
          demand.onTold(nowNs);
        }
        pool.grant(nowNs, told);
        fill(cache.acquire((int) demand.desiredBytes(3), nowNs, 0));
      }
      pool.onDeadline(nowNs, told);
    }
  }

  private void fill(@Nullable WriteToken token) {
    assertNotNull(token);
    int bytes = (int) Math.min(token.authorisedBytes(), demand.desiredBytes(3));
    demand.onDesired(3, -bytes, SIZE);
    cache.onWritten(token);
    ReceiveRegion region = pool.region(token.region());
    pool.onNotified(holder, token.region(), token.fill(), token.key(), bytes);
    for (int at = 0; at < bytes; at += CHUNK) {
      pool.check(holder, token.region(), token.fill(), token.key(), at, CHUNK);
      pool.onWritten(region, at, CHUNK, nowNs);
    }
    pool.onConsuming(region);
    pool.onConsumed(region, nowNs, told);
  }

  @Test
  void shouldNotAllocateOnAWarmPath() {
    assertTrue(THREADS.isThreadAllocatedMemorySupported());
    for (int i = 0; i < 10; i++) {
      run();
    }
    long fewest = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      run();
      fewest = Math.min(fewest, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    // Less than a byte a fill is the measurement itself.
    assertEquals(0, fewest / FILLS, fewest + " bytes in " + FILLS + " fills");
  }
}
