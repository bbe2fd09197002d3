package io.millrace.testkit.internal.oracle;

import java.util.function.LongConsumer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** The region of each granted key, on all nodes together, and the keys of NICs. */
final class GrantedKeys {
  private final Long2ObjectHashMap<ShadowRegion> regions = new Long2ObjectHashMap<>();
  private final Long2LongHashMap addresses = new Long2LongHashMap(Long.MIN_VALUE);

  /** The key of the grant by the key that the NIC knows; simulated NICs have no key twice. */
  private final Long2LongHashMap names = new Long2LongHashMap(Long.MIN_VALUE);

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

  void add(long key, long remoteKey, ShadowRegion region) {
    names.put(remoteKey, key);
    regions.put(key, region);
    addresses.put(key, region.address);
  }

  /** The key of the grant whose region the NIC knows by this key; the same key without a grant. */
  long name(long remoteKey) {
    long name = names.get(remoteKey);
    return name == names.missingValue() ? remoteKey : name;
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
