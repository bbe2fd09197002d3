package io.millrace.samples.store;

/** The sources from which a daemon may get a missing artifact. */
public enum LoadMode {
  /** Other daemons; a disk origin for bytes that no daemon gives. */
  AUTO(true, true),
  /** A disk origin only. */
  LOAD_ONLY(false, true),
  /** Other daemons only. */
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
