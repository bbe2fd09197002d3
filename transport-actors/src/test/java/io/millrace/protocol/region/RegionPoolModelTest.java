package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Senders with arbitrary frames, closed paths, revocations: the invariants hold throughout. */
class RegionPoolModelTest {
  private static final int BUDGET = 300_000;
  private static final int CAP = 400_000;
  private static final long QUARANTINE = 3_000;

  private final Set<Long> usedKeys = new HashSet<>();
  private final Map<Integer, Long> voidSinceNs = new HashMap<>();
  private final List<ReceiveRegion> consuming = new ArrayList<>();
  private long nowNs;
  private long lastKey;

  private final RegionPool pool =
      new RegionPool(
          new RegionPoolSettings(
              List.of(4_096, 65_536, 196_608),
              List.of(8, 6, 3),
              BUDGET,
              65_536,
              CAP,
              new RegionReserve(20, 2),
              true,
              new RegionTimes(5_000, 40_000, 30_000, QUARANTINE)),
          (region, endpoint) -> ++lastKey);

  private final RegionSink sink =
      new RegionSink() {
        @Override
        public void onGranted(RegionHolder holder, ReceiveRegion region) {
          assertTrue(usedKeys.add(region.key()));
          Long since = voidSinceNs.remove(region.index());
          assertTrue(since == null || nowNs - since >= QUARANTINE);
          assertTrue(region.authorisedBytes() > 0);
          assertEquals(1, region.fill());
        }

        @Override
        public void onAuthorised(RegionHolder holder, ReceiveRegion region) {
          assertTrue(region.authorisedBytes() <= region.sizeBytes());
        }

        @Override
        public void onReused(RegionHolder holder, ReceiveRegion region) {
          assertEquals(RegionState.GRANTED, region.state());
        }

        @Override
        public void onRevoked(RegionHolder holder, int region, long key, int consumedFill) {
          assertTrue(voidSinceNs.containsKey(region));
        }

        @Override
        public void onExhausted(RegionHolder holder) {
          assertEquals(0, holder.regionCount());
        }

        @Override
        public void onRepair(RegionHolder holder, ReceiveRegion region, long records) {
          assertNotEquals(0, records);
        }

        @Override
        public void onReleased(ReceiveRegion region) {
          voidSinceNs.put(region.index(), nowNs);
        }
      };

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void shouldHoldWhateverIsSent(long seed) {
    Random random = new Random(seed);
    List<RegionHolder> holders = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      holders.add(pool.open(i));
    }
    for (int step = 0; step < 60_000; step++) {
      nowNs += random.nextInt(50);
      int who = random.nextInt(holders.size());
      RegionHolder holder = holders.get(who);
      ReceiveRegion region = pool.region(random.nextInt(pool.regionCount()));
      switch (random.nextInt(12)) {
        case 0 ->
            pool.onDemand(
                holder, random.nextInt(8), random.nextInt(500_000), 1 + random.nextInt(300_000));
        case 1, 2 -> pool.grant(nowNs, sink);
        case 3, 4, 5, 6 -> write(region, random);
        case 7 -> announce(region, random);
        case 8 -> pool.onDeadline(nowNs, sink);
        case 9 -> finishOne(random);
        case 10 -> lie(holder, region, random);
        default -> {
          if (random.nextInt(40) == 0) {
            pool.revoke(region, nowNs, sink);
          }
          if (random.nextInt(200) == 0) {
            pool.onHolderClosed(holder, nowNs, sink);
            holders.set(who, pool.open(who));
          }
        }
      }
      assertSums(holders, "seed " + seed + " step " + step);
    }
    assertTrue(lastKey > 300, "only " + lastKey + " grants");
    for (RegionHolder holder : holders) {
      pool.onHolderClosed(holder, nowNs, sink);
    }
    while (!consuming.isEmpty()) {
      pool.onConsumed(consuming.removeLast(), nowNs, sink);
    }
    nowNs += QUARANTINE;
    pool.onDeadline(nowNs, sink);
    assertEquals(0, pool.outstandingBytes());
    assertEquals(8, pool.freeRegions(0));
    assertEquals(6, pool.freeRegions(1));
    assertEquals(3, pool.freeRegions(2));
  }

  private void write(ReceiveRegion region, Random random) {
    RegionHolder holder = region.holder();
    if (holder == null || region.authorisedBytes() == 0) {
      return;
    }
    int at = random.nextInt(region.authorisedBytes());
    int length = 1 + random.nextInt(region.authorisedBytes());
    if (random.nextInt(3) == 0) {
      at = 0;
      length = region.notifiedBytes() < 0 ? region.authorisedBytes() : region.notifiedBytes();
    }
    WriteVerdict verdict =
        pool.check(holder, region.index(), region.fill(), region.key(), at, length);
    if (verdict == WriteVerdict.OK) {
      pool.onWritten(region, at, length, nowNs);
      consumeIfComplete(region);
    }
  }

  private void announce(ReceiveRegion region, Random random) {
    RegionHolder holder = region.holder();
    if (holder != null) {
      int length = 1 + random.nextInt(region.sizeBytes());
      pool.onNotified(holder, region.index(), region.fill(), region.key(), length);
      consumeIfComplete(region);
    }
  }

  private void consumeIfComplete(ReceiveRegion region) {
    if (region.state() == RegionState.WRITTEN && pool.isComplete(region)) {
      pool.onConsuming(region);
      consuming.add(region);
    }
  }

  private void finishOne(Random random) {
    if (consuming.isEmpty()) {
      return;
    }
    ReceiveRegion region = consuming.remove(random.nextInt(consuming.size()));
    switch (random.nextInt(6)) {
      case 0 -> pool.onFailed(region, nowNs, sink);
      case 1 -> {
        int record = random.nextInt((region.notifiedBytes() + 65_535) / 65_536);
        int at = record * 65_536;
        int length = Math.min(65_536, region.notifiedBytes() - at);
        if (!pool.onRecordBad(region, at, length, nowNs)) {
          pool.onFailed(region, nowNs, sink);
        }
      }
      default -> pool.onConsumed(region, nowNs, sink);
    }
  }

  private void lie(RegionHolder holder, ReceiveRegion region, Random random) {
    int fill = region.fill() + random.nextInt(3) - 1;
    long key = region.key() - random.nextInt(2);
    boolean isHonest = holder == region.holder() && fill == region.fill() && key == region.key();
    long at = random.nextInt(400_000) - 100_000L;
    long length = random.nextInt(400_000) - 100_000L;
    WriteVerdict verdict = pool.check(holder, region.index(), fill, key, at, length);
    boolean isInside = at >= 0 && length > 0 && at + length <= region.authorisedBytes();
    assertTrue(verdict != WriteVerdict.OK || isHonest && isInside);
    if (!isHonest) {
      assertNotEquals(
          NotifyVerdict.OK,
          pool.onNotified(holder, region.index(), fill, key, 1 + random.nextInt(1_000)));
    }
  }

  private void assertSums(List<RegionHolder> holders, String where) {
    long granted = 0;
    long outstanding = 0;
    for (int i = 0; i < pool.regionCount(); i++) {
      ReceiveRegion region = pool.region(i);
      boolean isValid =
          region.state() == RegionState.GRANTED
              || region.state() == RegionState.WRITTEN
              || region.state() == RegionState.CONSUMING;
      granted += isValid ? region.sizeBytes() : 0;
      outstanding += region.outstandingBytes();
      if (region.state() == RegionState.GRANTED) {
        assertEquals(0, region.receivedBytes(), where);
      }
      if (isValid && region.notifiedBytes() < 0) {
        assertEquals(
            region.authorisedBytes() - region.receivedBytes(), region.outstandingBytes(), where);
      }
      if (!isValid) {
        assertEquals(0, region.outstandingBytes(), where);
      }
    }
    assertEquals(granted, pool.grantedBytes(), where);
    assertEquals(outstanding, pool.outstandingBytes(), where);
    assertTrue(pool.peakOutstandingBytes() <= BUDGET, where);
    for (RegionHolder holder : holders) {
      assertTrue(holder.grantedBytes() <= CAP, where);
    }
  }
}
