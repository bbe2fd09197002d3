package io.millrace.protocol.region;

/** The times of the last events of a region, ns. The thread of the {@link RegionPool} only. */
final class RegionStamps {
  private long grantedNs;
  private long lastWriteNs;
  private long activeNs;
  private long renewedNs;

  /** The time of the token's grant. */
  long grantedNs() {
    return grantedNs;
  }

  /** When new bytes last arrived under its key; the time of the grant until then. */
  long lastWriteNs() {
    return lastWriteNs;
  }

  /**
   * When the region last showed the holder's interest, or a look at the region last was in vain.
   */
  long activeNs() {
    return activeNs;
  }

  /** When its holder's token was last as good as new: granted, used, or more was authorised. */
  long renewedNs() {
    return renewedNs;
  }

  void granted(long nowNs) {
    grantedNs = nowNs;
    written(nowNs);
  }

  void written(long nowNs) {
    lastWriteNs = nowNs;
    activeNs = nowNs;
    renewedNs = nowNs;
  }

  void active(long nowNs) {
    activeNs = nowNs;
  }

  void renewed(long nowNs) {
    renewedNs = nowNs;
  }
}
