package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

/** A pool with two sizes of regions, and the repeated steps of tests with the pool. */
abstract class RegionPoolFixture {
  static final int KIB = 1024;
  static final int K64 = 64 * KIB;
  static final int SMALL = 16 * KIB;
  static final long IDLE_REVOKE = 1_000;
  static final long IDLE_TIMEOUT = 100_000;
  static final long STALL_TIMEOUT = 100_000;
  static final long QUARANTINE = 500;
  static final RegionTimes TIMES =
      new RegionTimes(IDLE_REVOKE, IDLE_TIMEOUT, STALL_TIMEOUT, QUARANTINE);

  final RecordedSink said = new RecordedSink();
  long lastKey;
  boolean isAdaptive = true;
  RegionPool pool = pool(List.of(4, 4), 1 << 20, 1 << 20, 0);

  RegionPool pool(List<Integer> counts, long budget, long perHolder, int reserve) {
    return new RegionPool(
        new RegionPoolSettings(
            List.of(SMALL, 4 * K64),
            counts,
            budget,
            (int) Math.min(K64, budget),
            perHolder,
            new RegionReserve(reserve, 2),
            isAdaptive,
            TIMES),
        (region, endpoint) -> ++lastKey);
  }

  List<String> grant(long nowNs) {
    pool.grant(nowNs, said);
    return said.take();
  }

  RegionHolder asking(String name, int priority, long bytes, int largest) {
    RegionHolder holder = pool.open(name);
    pool.onDemand(holder, priority, bytes, largest);
    return holder;
  }

  WriteVerdict check(RegionHolder holder, ReceiveRegion region, long at, long length) {
    return pool.check(holder, region.index(), region.fill(), region.key(), at, length);
  }

  void write(ReceiveRegion region, int length, long nowNs) {
    assertEquals(WriteVerdict.OK, check(holder(region), region, 0, length));
    assertEquals(length, pool.onWritten(region, 0, length, nowNs));
  }

  void fill(ReceiveRegion region, int length, long nowNs) {
    write(region, length, nowNs);
    assertEquals(
        NotifyVerdict.OK,
        pool.onNotified(holder(region), region.index(), region.fill(), region.key(), length));
    pool.onConsuming(region);
  }

  static RegionHolder holder(ReceiveRegion region) {
    RegionHolder holder = region.holder();
    if (holder == null) {
      throw new AssertionError("free");
    }
    return holder;
  }

  ReceiveRegion regionOf(RegionHolder holder) {
    for (int i = 0; i < pool.regionCount(); i++) {
      if (pool.region(i).holder() == holder) {
        return pool.region(i);
      }
    }
    throw new AssertionError("has none");
  }
}
