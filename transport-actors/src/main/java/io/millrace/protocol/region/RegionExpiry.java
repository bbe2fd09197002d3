package io.millrace.protocol.region;

import static io.millrace.protocol.region.RegionHolder.PRIORITIES;

import org.jspecify.annotations.Nullable;

/**
 * Decides when a region has lain long enough: unused with or without others who wait, without
 * progress, or void. Owned by a {@link RegionPool}.
 */
final class RegionExpiry {
  private static final long NONE = Long.MAX_VALUE;

  private final RegionBook book;

  RegionExpiry(RegionBook book) {
    this.book = book;
  }

  void onDeadline(long nowNs, RegionPool pool, RegionSink sink) {
    ReceiveRegion region = book.quarantined.head();
    while (region != null && nowNs - region.activeNs() >= book.settings.quarantineNs()) {
      book.free(region);
      region = book.quarantined.head();
    }
    revokeIdle(nowNs, pool, sink);
    revokeStalled(nowNs, pool, sink);
  }

  long nextDeadlineNs() {
    final boolean isWanting = wantedBytes() > 0 || repairBytes() > 0;
    final long idleNs = isWanting ? book.settings.idleRevokeNs() : book.settings.idleTimeoutNs();
    return Math.min(
        after(book.quarantined.head(), book.settings.quarantineNs()),
        Math.min(
            after(book.idle.head(), idleNs),
            after(book.partial.head(), book.settings.idleTimeoutNs())));
  }

  private static long after(@Nullable ReceiveRegion region, long delayNs) {
    return region == null ? NONE : region.activeNs() + delayNs;
  }

  /** Nothing while a pass is due: what came free meanwhile may be enough for all who wait. */
  private long wantedBytes() {
    return book.isPressed() && !book.isDirty() ? book.wantedBytes() : 0;
  }

  /** What a record that is to be written again waits for; its holder cannot give it up. */
  private long repairBytes() {
    final boolean isWaiting = book.repairs.head() != null && book.isPressed() && !book.isDirty();
    return isWaiting ? ReceiveRegion.RECORD_BYTES : 0;
  }

  private void revokeIdle(long nowNs, RegionPool pool, RegionSink sink) {
    final boolean isMemoryWanted = book.regionBlocked() < PRIORITIES;
    long wanted = wantedBytes();
    long repair = repairBytes();
    ReceiveRegion region = book.idle.head();
    while (region != null) {
      final long idleNs = nowNs - region.activeNs();
      if (idleNs >= book.settings.idleTimeoutNs()) {
        book.counters.onRevokedIdle();
        wanted -= region.sizeBytes();
        pool.revoke(region, nowNs, sink);
      } else if (wanted <= 0 && repair <= 0 || idleNs < book.settings.idleRevokeNs()) {
        return;
      } else if (repair > 0 && region.outstandingBytes() > 0) {
        // Even the holder's own: what it may write elsewhere keeps it from what it must repeat.
        book.counters.onRevokedUnderPressure();
        repair -= region.outstandingBytes();
        wanted -= isMemoryWanted ? region.sizeBytes() : region.outstandingBytes();
        pool.revoke(region, nowNs, sink);
      } else if (wanted <= 0 || isForItself(region)) {
        // Whoever waits is its own holder, who would lose what it is about to use.
        refresh(book.idle, region, nowNs);
      } else if (!isMemoryWanted && region.outstandingBytes() == 0) {
        // It takes no part of the budget, which is all that the others wait for.
        refresh(book.idle, region, nowNs);
      } else {
        book.counters.onRevokedUnderPressure();
        wanted -= isMemoryWanted ? region.sizeBytes() : region.outstandingBytes();
        pool.revoke(region, nowNs, sink);
      }
      region = book.idle.head();
    }
  }

  private boolean isForItself(ReceiveRegion region) {
    final RegionHolder holder = region.holder();
    return holder != null && book.wantedByOthers(holder) <= 0;
  }

  private void revokeStalled(long nowNs, RegionPool pool, RegionSink sink) {
    ReceiveRegion region = book.partial.head();
    while (region != null && nowNs - region.activeNs() >= book.settings.idleTimeoutNs()) {
      if (isWaitingForThisSide(region, pool)) {
        refresh(book.partial, region, nowNs);
      } else {
        book.counters.onRevokedIdle();
        pool.revoke(region, nowNs, sink);
      }
      region = book.partial.head();
    }
  }

  private static boolean isWaitingForThisSide(ReceiveRegion region, RegionPool pool) {
    if (region.badRecords() != 0 || pool.isComplete(region)) {
      return true;
    }
    final RegionHolder holder = region.holder();
    return holder != null
        && holder.demandBytes() > 0
        && region.isGrowable()
        && region.receivedBytes() >= region.authorisedBytes();
  }

  private static void refresh(RegionList list, ReceiveRegion region, long nowNs) {
    region.activeNs(nowNs);
    list.add(region);
  }
}
