package io.millrace.testkit.internal.oracle;

import java.util.function.LongConsumer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** Which region each remote key was given out for, on all nodes together. */
final class GrantedKeys {
  private final Long2ObjectHashMap<ShadowRegion> regions = new Long2ObjectHashMap<>();
  private final Long2LongHashMap addresses = new Long2LongHashMap(Long.MIN_VALUE);

  private LongConsumer onSuspected = key -> {};

  /** Who is told of the key of each region that is taken back since its holder is suspected. */
  void tellOfSuspected(LongConsumer told) {
    onSuspected = told;
  }

  /** The region of this key is taken back since its holder does not answer. */
  void suspected(long key) {
    onSuspected.accept(key);
  }

  void add(long key, ShadowRegion region) {
    regions.put(key, region);
    addresses.put(key, region.address);
  }

  /** The region as it is now, or null if nobody was given this key. */
  @Nullable ShadowRegion region(long key) {
    return regions.get(key);
  }

  /** Where the region was when this key was given out, whoever has it now. */
  long address(long key) {
    return addresses.get(key);
  }
}
