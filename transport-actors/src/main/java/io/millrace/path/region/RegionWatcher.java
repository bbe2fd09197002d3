package io.millrace.path.region;

import io.millrace.body.RegionMemory;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionHolder;

/**
 * Observes the regions of a worker, to hold the events against rules of the observer. Called on the
 * worker's thread; must change nothing, and must not take the state of the objects for the truth.
 */
public interface RegionWatcher {
  /** A watcher without any rule. */
  RegionWatcher NONE = new RegionWatcher() {};

  /** A sender has got the region under a fresh key, and may write its first fill. */
  default void onGranted(RegionHolder holder, ReceiveRegion region) {}

  /** More of the present fill may be written. */
  default void onAuthorised(ReceiveRegion region) {}

  /**
   * Bytes of a chunk land.
   *
   * @param holder the path of the chunk
   * @param fill the fill named by the chunk
   * @param key the key named by the chunk
   * @param at the offset in the region
   * @param length the number of bytes
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
