package io.millrace.path.region;

import io.millrace.body.BodyOpener;
import io.millrace.body.InboundFill;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionHolder;
import io.millrace.protocol.region.RegionPool;
import org.jspecify.annotations.Nullable;

/**
 * Takes regions back from bodies whose target takes nothing while senders wait for memory. Each
 * body keeps only the fill with the next bytes, so that a stalled consumer holds back only its own
 * body. Also takes back fills behind bytes that their sender does not send. Rule W-8. Worker's
 * thread only; time is passed in; does not allocate.
 */
final class StalledBodies {
  private final RegionPool pool;
  private int looks;

  StalledBodies(RegionPool pool) {
    this.pool = pool;
  }

  /**
   * Looks through all fills waiting for application threads, if a look is due after a pass of
   * grants.
   *
   * @return whether a look was due; then another pass of grants is due
   */
  boolean onTurn(long nowNs) {
    if (!pool.pollShortage(nowNs)) {
      return false;
    }
    looks++;
    for (int index = 0; index < pool.regionCount(); index++) {
      InboundFill fill = waiting(pool.region(index));
      BodyOpener opener = fill == null ? null : fill.opener();
      if (fill != null && opener != null) {
        opener.pace().onSeen(fill, opener.openedBytes(), looks, nowNs);
      }
    }
    for (int index = 0; index < pool.regionCount(); index++) {
      ReceiveRegion region = pool.region(index);
      if (pool.isWanted(region)) {
        takeSurplus(region, nowNs);
      }
    }
    return true;
  }

  private void takeSurplus(ReceiveRegion region, long nowNs) {
    InboundFill fill = waiting(region);
    BodyOpener opener = fill == null ? null : fill.opener();
    RegionHolder holder = region.holder();
    if (fill != null
        && opener != null
        && holder != null
        && opener.pace().isSurplus(fill, nowNs, pool.patienceNs(holder), pool.stallTimeoutNs())) {
      ((PathRegions) holder.owner()).takeBack(fill, opener, nowNs);
    }
  }

  private static @Nullable InboundFill waiting(ReceiveRegion region) {
    return region.isRead() && region.attachment() instanceof InboundFill fill ? fill : null;
  }
}
