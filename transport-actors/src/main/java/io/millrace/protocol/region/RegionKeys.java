package io.millrace.protocol.region;

/** Where the keys of regions come from: a counter mixed with a secret. */
@FunctionalInterface
public interface RegionKeys {
  /**
   * A key for this region that was never returned before. Called once for each grant: the source
   * may give the region its place for the endpoint's NIC by {@link ReceiveRegion#remote}.
   *
   * @param endpoint the endpoint by which the region's next holder writes; see {@link
   *     RegionHolder#endpoint()}
   */
  long nextKey(int region, int endpoint);
}
