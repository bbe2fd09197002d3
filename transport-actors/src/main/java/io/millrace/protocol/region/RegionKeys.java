package io.millrace.protocol.region;

/** Where the keys of regions come from: a counter mixed with a secret, or the driver. */
@FunctionalInterface
public interface RegionKeys {
  /** A key for this region that was never returned before. */
  long nextKey(int region);
}
