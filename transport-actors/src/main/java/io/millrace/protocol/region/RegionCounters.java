package io.millrace.protocol.region;

/**
 * The counts of a {@link RegionPool}. Written by the owner's thread; read by tests on the same
 * thread.
 */
public final class RegionCounters {
  private final long[] verdicts = new long[WriteVerdict.values().length];
  private final long[] notifications = new long[NotifyVerdict.values().length];
  private long granted;
  private long grantedAhead;
  private long reused;
  private long released;
  private long revokedIdle;
  private long revokedUnderPressure;
  private long exhausted;
  private long badRecords;
  private long discardedWrites;

  RegionCounters() {}

  /** Writes with this verdict. */
  public long writes(WriteVerdict verdict) {
    return verdicts[verdict.ordinal()];
  }

  /** Notifications with this verdict. */
  public long notifications(NotifyVerdict verdict) {
    return notifications[verdict.ordinal()];
  }

  /** Tokens granted under a fresh key. */
  public long granted() {
    return granted;
  }

  /** Tokens granted ahead of need. */
  public long grantedAhead() {
    return grantedAhead;
  }

  /** Fills after which the same holder kept the region. */
  public long reused() {
    return reused;
  }

  /** Keys that became void. */
  public long released() {
    return released;
  }

  /** Keys revoked because nothing came for the longest time allowed. */
  public long revokedIdle() {
    return revokedIdle;
  }

  /** Keys revoked because nothing came and other holders waited. */
  public long revokedUnderPressure() {
    return revokedUnderPressure;
  }

  /** The number of times that a holder heard that no memory is free for now. */
  public long exhausted() {
    return exhausted;
  }

  /** Records with a wrong tag. */
  public long badRecords() {
    return badRecords;
  }

  /** Writes that left too many gaps to note. */
  public long discardedWrites() {
    return discardedWrites;
  }

  void onVerdict(WriteVerdict verdict) {
    verdicts[verdict.ordinal()]++;
  }

  void onVerdict(NotifyVerdict verdict) {
    notifications[verdict.ordinal()]++;
  }

  void onGranted() {
    granted++;
  }

  void onGrantedAhead() {
    grantedAhead++;
  }

  void onReused() {
    reused++;
  }

  void onReleased() {
    released++;
  }

  void onRevokedIdle() {
    revokedIdle++;
  }

  void onRevokedUnderPressure() {
    revokedUnderPressure++;
  }

  void onExhausted() {
    exhausted++;
  }

  void onBadRecord() {
    badRecords++;
  }

  void onDiscardedWrite() {
    discardedWrites++;
  }
}
