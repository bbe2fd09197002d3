package io.millrace.protocol.region;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A receiver that consumes fills in random order and sends the decisions of its pool to the
 * senders.
 */
final class SimulatedReceiver implements RegionSink {
  final RegionPool pool;
  final List<ReceiveRegion> consuming = new ArrayList<>();
  final Set<Long> keys = new HashSet<>();
  final Set<Long> released = new HashSet<>();
  long nowNs;
  int wrongRecordsIn1000;
  int exhausted;
  int repairs;
  private final Random random;
  private long lastKey;

  SimulatedReceiver(RegionPoolSettings settings, Random random) {
    this.random = random;
    pool = new RegionPool(settings, (region, endpoint) -> ++lastKey * 0x9E3779B97F4A7C15L);
  }

  /** Time passes, the receiver may consume a fill, and the pool grants the free regions. */
  void step() {
    nowNs += random.nextInt(2_000);
    if (!consuming.isEmpty() && random.nextInt(2) == 0) {
      takeOut(consuming.remove(random.nextInt(consuming.size())));
    }
    if (nowNs >= pool.nextDeadlineNs()) {
      pool.onDeadline(nowNs, this);
    }
    if (random.nextInt(4) == 0) {
      pool.grant(nowNs, this);
    }
  }

  private void takeOut(ReceiveRegion region) {
    boolean isWrong = false;
    for (int at = 0; at < region.notifiedBytes(); at += ReceiveRegion.RECORD_BYTES) {
      if (random.nextInt(1_000) < wrongRecordsIn1000) {
        int length = Math.min(ReceiveRegion.RECORD_BYTES, region.notifiedBytes() - at);
        if (!pool.onRecordBad(region, at, length, nowNs)) {
          pool.onFailed(region, nowNs, this);
          return;
        }
        isWrong = true;
      }
    }
    if (!isWrong) {
      sender(region).onTakenOut(region.notifiedBytes());
      pool.onConsumed(region, nowNs, this);
    }
  }

  void onChunk(SimulatedSender from, WriteToken token, int fill, int at, int length) {
    WriteVerdict verdict = pool.check(from.holder, token.region(), fill, token.key(), at, length);
    if (verdict == WriteVerdict.OK) {
      ReceiveRegion region = pool.region(token.region());
      if (pool.onWritten(region, at, length, nowNs) < 0) {
        from.onNotReceived(token, fill, at, length);
      }
      consumeIfComplete(region);
    }
  }

  void onNotify(SimulatedSender from, WriteToken token, int fill, int length) {
    NotifyVerdict verdict = pool.onNotified(from.holder, token.region(), fill, token.key(), length);
    if (verdict == NotifyVerdict.OK) {
      consumeIfComplete(pool.region(token.region()));
    }
  }

  private void consumeIfComplete(ReceiveRegion region) {
    if (region.state() == RegionState.WRITTEN && pool.isComplete(region)) {
      pool.onConsuming(region);
      consuming.add(region);
    }
  }

  private static SimulatedSender sender(ReceiveRegion region) {
    RegionHolder holder = region.holder();
    if (holder == null) {
      throw new AssertionError("nobody's region " + region.index());
    }
    return (SimulatedSender) holder.owner();
  }

  @Override
  public void onGranted(RegionHolder holder, ReceiveRegion region) {
    if (!keys.add(region.key()) || region.fill() != 1 || region.authorisedBytes() == 0) {
      throw new AssertionError("region " + region.index() + " was granted wrongly");
    }
    onAuthorised(holder, region);
  }

  @Override
  public void onAuthorised(RegionHolder holder, ReceiveRegion region) {
    ((SimulatedSender) holder.owner()).tellGrant(region);
  }

  @Override
  public void onReused(RegionHolder holder, ReceiveRegion region) {
    ((SimulatedSender) holder.owner())
        .tellConsumed(
            region.index(), region.fill() - 1, region.key(), region.authorisedBytes(), false);
  }

  @Override
  public void onRevoked(RegionHolder holder, int region, long key, int consumedFill) {
    SimulatedSender to = (SimulatedSender) holder.owner();
    if (consumedFill > 0) {
      to.tellConsumed(region, consumedFill, key, 0, true);
    } else {
      to.tellRevoked(region, key);
    }
  }

  @Override
  public void onExhausted(RegionHolder holder) {
    exhausted++;
    ((SimulatedSender) holder.owner()).tellExhausted(pool.estimateNs(holder, nowNs));
  }

  @Override
  public void onRepair(RegionHolder holder, ReceiveRegion region, long records) {
    repairs += Long.bitCount(records);
    ((SimulatedSender) holder.owner()).tellRepair(region, records);
  }

  @Override
  public void onReleased(ReceiveRegion region) {
    if (!released.add(region.key())) {
      throw new AssertionError("key of region " + region.index() + " was released twice");
    }
  }
}
