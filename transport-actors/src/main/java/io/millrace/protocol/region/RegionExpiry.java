package io.millrace.protocol.region;

import static io.millrace.protocol.region.RegionHolder.PRIORITIES;

import org.jspecify.annotations.Nullable;

/**
 * Decides when a region has lain long enough: unused with or without other waiting holders, without
 * progress, or void. Owned by a {@link RegionPool}.
 */
final class RegionExpiry {
  private static final long NONE = Long.MAX_VALUE;

  private final RegionBook book;
  private final RegionTimes times;

  RegionExpiry(RegionBook book) {
    this.book = book;
    times = book.settings.times();
  }

  void onDeadline(long nowNs, RegionPool pool, RegionSink sink) {
    ReceiveRegion region = book.quarantined.head();
    while (region != null && nowNs - region.activeNs() >= times.quarantineNs()) {
      if (sink.onRested(region)) {
        book.free(region);
      } else {
        region.activeNs(nowNs);
        book.quarantined.add(region);
      }
      region = book.quarantined.head();
    }
    revokeIdle(nowNs, pool, sink);
    revokeStalled(nowNs, pool, sink);
  }

  long nextDeadlineNs() {
    final boolean isWanting = wantedBytes() > 0 || repairBytes() > 0;
    return Math.min(
        after(book.quarantined.head(), times.quarantineNs()),
        Math.min(
            isWanting ? firstImpatientNs() : overNs(book.idle.head()),
            after(book.partial.head(), times.stallTimeoutNs())));
  }

  /** When the first idle region has lain for as long as the holder's patience allows. */
  private long firstImpatientNs() {
    long firstNs = NONE;
    ReceiveRegion region = book.idle.head();
    // Later regions became idle later, and no region is given up before the least patience.
    while (region != null && region.activeNs() + times.idleRevokeNs() < firstNs) {
      firstNs = Math.min(firstNs, region.activeNs() + patienceNs(region));
      region = book.idle.after(region);
    }
    return firstNs;
  }

  private long patienceNs(ReceiveRegion region) {
    final RegionHolder holder = region.holder();
    return holder == null || region.isAhead()
        ? times.idleRevokeNs()
        : holder.patienceNs(times, region);
  }

  /** When an idle region is taken back in any case. */
  private long overNs(@Nullable ReceiveRegion region) {
    if (region == null) {
      return NONE;
    }
    final RegionHolder holder = region.holder();
    final boolean isMissed = holder != null && holder.demandBytes() > 0;
    // The sender has let the token go by now, and asks for memory that the sender cannot use here.
    final long delayNs =
        isMissed
            ? Math.min(times.lifetimeNs() + patienceNs(region), times.idleTimeoutNs())
            : times.idleTimeoutNs();
    return region.renewedNs() + delayNs;
  }

  private static long after(@Nullable ReceiveRegion region, long delayNs) {
    return region == null ? NONE : region.activeNs() + delayNs;
  }

  /** Nothing while a pass is due: memory freed meanwhile may be enough for all waiting holders. */
  private long wantedBytes() {
    return book.isPressed() && !book.isDirty() ? book.wantedBytes() : 0;
  }

  /**
   * The bytes that a bad record waits for before its repeat; the record's holder cannot give these
   * bytes up.
   */
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
      final ReceiveRegion following = book.idle.after(region);
      final long idleNs = nowNs - region.activeNs();
      final boolean isExpired = nowNs >= overNs(region);
      if (!isExpired && (wanted <= 0 && repair <= 0 || idleNs < times.idleRevokeNs())) {
        return;
      }
      if (isExpired) {
        book.counters.onRevokedIdle();
        wanted -= region.sizeBytes();
        forgetWish(region);
        pool.revoke(region, nowNs, sink);
      } else if (idleNs >= patienceNs(region)) {
        if (isUseful(region, wanted, repair, isMemoryWanted)) {
          repair -= region.outstandingBytes();
          wanted -= isMemoryWanted ? region.sizeBytes() : region.outstandingBytes();
          take(region, nowNs, pool, sink);
        } else {
          refresh(book.idle, region, nowNs);
        }
      }
      region = following;
    }
  }

  /**
   * A holder that did not use memory granted ahead of need gets no more before the holder asks
   * again.
   */
  private void forgetWish(ReceiveRegion region) {
    final RegionHolder holder = region.holder();
    if (holder != null && region.isAhead()) {
      book.forgetAhead(holder);
    }
  }

  /** Whether the revocation of an idle region helps any waiting holder. */
  private boolean isUseful(ReceiveRegion region, long wanted, long repair, boolean isMemoryWanted) {
    if (repair > 0 && region.outstandingBytes() > 0) {
      // Even the holder's own region: bytes that the holder may write elsewhere keep the holder
      // from the record to repeat.
      return true;
    }
    if (wanted > 0 && isFragment(region)) {
      return true;
    }
    // The region's own holder would lose memory that the holder is about to use, and a region
    // without a part of the budget is of no use to holders that wait for budget.
    return wanted > 0 && !isForItself(region) && (isMemoryWanted || region.outstandingBytes() > 0);
  }

  /**
   * Whether the region holds budget that the sender cannot use, while the sender waits for more.
   */
  private boolean isFragment(ReceiveRegion region) {
    final RegionHolder holder = region.holder();
    return holder != null
        && holder.demandBytes() > 0
        && book.budgetBlocked() < PRIORITIES
        && region.outstandingBytes() > 0
        && book.budget.endsWithinStep(region);
  }

  private void take(ReceiveRegion region, long nowNs, RegionPool pool, RegionSink sink) {
    final RegionHolder holder = region.holder();
    final boolean wasNeeded = region.authorisedBytes() > 0 && !region.isAhead();
    if (holder != null && region.receivedBytes() == 0 && wasNeeded) {
      holder.window().onFruitless(region.renewedNs(), nowNs);
      book.wants(holder);
    }
    book.counters.onRevokedUnderPressure();
    pool.revoke(region, nowNs, sink);
  }

  private boolean isForItself(ReceiveRegion region) {
    final RegionHolder holder = region.holder();
    return holder != null && book.wantedByOthers(holder) <= 0;
  }

  private void revokeStalled(long nowNs, RegionPool pool, RegionSink sink) {
    ReceiveRegion region = book.partial.head();
    while (region != null && nowNs - region.activeNs() >= times.stallTimeoutNs()) {
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
