package io.millrace.samples.store;

/** Where a daemon may get an artifact that it does not have. */
public enum LoadMode {
  /** From other daemons; what they do not give, from a disk origin. */
  AUTO(true, true),
  /** From a disk origin only. */
  LOAD_ONLY(false, true),
  /** From other daemons only. */
  PREFER_P2P(true, false);

  private final boolean usesPeers;
  private final boolean usesOrigin;

  LoadMode(boolean usesPeers, boolean usesOrigin) {
    this.usesPeers = usesPeers;
    this.usesOrigin = usesOrigin;
  }

  boolean usesPeers() {
    return usesPeers;
  }

  boolean usesOrigin() {
    return usesOrigin;
  }
}
