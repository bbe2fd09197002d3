package io.millrace.protocol.recovery;

/**
 * The counts of a {@link PathRecovery}. Written by the owner's thread; read by tests on the same
 * thread.
 */
public final class RecoveryCounters {
  private long ackedPackets;
  private long lostPackets;
  private long spuriousLosses;
  private long probeTimeouts;
  private long persistentCongestions;
  private long explained;

  RecoveryCounters() {}

  /** Packets acknowledged while outstanding. */
  public long ackedPackets() {
    return ackedPackets;
  }

  /** Packets declared lost. */
  public long lostPackets() {
    return lostPackets;
  }

  /** Packets acknowledged after the recovery had declared them lost. */
  public long spuriousLosses() {
    return spuriousLosses;
  }

  /** Probe intervals that passed without a packet. */
  public long probeTimeouts() {
    return probeTimeouts;
  }

  /** The number of losses that spanned so long that the window fell to its minimum. */
  public long persistentCongestions() {
    return persistentCongestions;
  }

  /**
   * Losses and probe intervals that say nothing of the peer: a size or a rail was tried in vain.
   */
  public long explained() {
    return explained;
  }

  void onExplained(int more) {
    explained += more;
  }

  void onAcked() {
    ackedPackets++;
  }

  void onLost() {
    lostPackets++;
  }

  void onSpuriousLoss() {
    spuriousLosses++;
  }

  void onProbeTimeout() {
    probeTimeouts++;
  }

  void onPersistentCongestion() {
    persistentCongestions++;
  }
}
