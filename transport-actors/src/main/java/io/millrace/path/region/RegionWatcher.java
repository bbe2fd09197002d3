package io.millrace.path.region;

import io.millrace.body.RegionMemory;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionHolder;

/**
 * Sees what happens to the regions of a worker, to hold it against rules of its own. Called on the
 * worker's thread; must change nothing and must not keep the objects' state for the truth.
 */
public interface RegionWatcher {
  /** Sees nothing. */
  RegionWatcher NONE = new RegionWatcher() {};

  /** A sender has got the region under a fresh key, and may write its first fill. */
  default void onGranted(RegionHolder holder, ReceiveRegion region) {}

  /** More of the present fill may be written. */
  default void onAuthorised(ReceiveRegion region) {}

  /**
   * Bytes of a chunk land.
   *
   * @param holder the path that the chunk came by
   * @param fill which fill the chunk names
   * @param key which key the chunk names
   * @param at where in the region
   * @param length how many bytes
   */
  default void onLanding(
      RegionHolder holder, ReceiveRegion region, int fill, long key, int at, int length) {}

  /** The fill is complete or given up, and an application thread reads the region from here on. */
  default void onConsuming(ReceiveRegion region, RegionMemory memory) {}

  /** The application thread is done with the region. */
  default void onConsumed(ReceiveRegion region, RegionMemory memory) {}

  /** The same sender may fill the region again. */
  default void onReused(ReceiveRegion region) {}

  /** The key is void. */
  default void onReleased(ReceiveRegion region) {}
}
