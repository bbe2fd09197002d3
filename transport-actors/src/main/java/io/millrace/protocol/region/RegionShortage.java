package io.millrace.protocol.region;

import static io.millrace.protocol.region.RegionHolder.PRIORITIES;

/**
 * Decides when and where too many regions wait for application threads. Either a holder waits for a
 * region and no region is free, or the regions' own holder has its full number of regions and wants
 * more. Owned by a {@link RegionPool}. Time is passed in; does not allocate.
 */
final class RegionShortage {
  private static final long NONE = Long.MAX_VALUE;

  private final RegionBook book;
  private final long intervalNs;
  private boolean wasPolled;
  private long polledNs;

  RegionShortage(RegionBook book) {
    this.book = book;
    intervalNs = book.settings.times().idleRevokeNs();
  }

  /** Nothing while a pass is due: memory freed meanwhile may be enough for all waiting holders. */
  private boolean isAny() {
    return !book.isDirty() && (isMemoryGone() || book.capped.size() > 0);
  }

  private boolean isMemoryGone() {
    return book.regionBlocked() < PRIORITIES && book.wantedBytes() > 0;
  }

  /** Whether an end of this region's reading would help a waiting holder. */
  boolean isOf(ReceiveRegion region) {
    final RegionHolder holder = region.holder();
    return region.isRead()
        && holder != null
        && (isMemoryGone() || region.isGranted() && book.capped.contains(holder));
  }

  /** Whether to look now; once in each interval as long as there is a shortage. */
  boolean poll(long nowNs) {
    if (!isAny() || wasPolled && nowNs - polledNs < intervalNs) {
      return false;
    }
    wasPolled = true;
    polledNs = nowNs;
    return true;
  }

  /** When the next look is due, ns, if the owner polled since the last pass. */
  long nextDeadlineNs() {
    return isAny() && wasPolled ? polledNs + intervalNs : NONE;
  }
}
