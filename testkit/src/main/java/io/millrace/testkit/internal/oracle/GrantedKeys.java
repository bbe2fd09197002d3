package io.millrace.testkit.internal.oracle;

import java.util.function.LongConsumer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** The region of each granted remote key, on all nodes together. */
final class GrantedKeys {
  private final Long2ObjectHashMap<ShadowRegion> regions = new Long2ObjectHashMap<>();
  private final Long2LongHashMap addresses = new Long2LongHashMap(Long.MIN_VALUE);

  private LongConsumer onSuspected = key -> {};

  /**
   * Sets the listener for the keys of regions that are taken back because their holder is
   * suspected.
   */
  void tellOfSuspected(LongConsumer told) {
    onSuspected = told;
  }

  /** The region with this key is taken back since its holder does not answer. */
  void suspected(long key) {
    onSuspected.accept(key);
  }

  void add(long key, ShadowRegion region) {
    regions.put(key, region);
    addresses.put(key, region.address);
  }

  /** The region as of now, or null if this key was granted to nobody. */
  @Nullable ShadowRegion region(long key) {
    return regions.get(key);
  }

  /** Returns the address of the region at the time of the grant, whoever holds the region now. */
  long address(long key) {
    return addresses.get(key);
  }
}
