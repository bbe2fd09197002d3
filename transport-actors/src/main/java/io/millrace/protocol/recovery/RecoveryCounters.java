package io.millrace.protocol.recovery;

/** What a {@link PathRecovery} has counted. Written by its owner's thread; read by tests there. */
public final class RecoveryCounters {
  private long ackedPackets;
  private long lostPackets;
  private long spuriousLosses;
  private long probeTimeouts;
  private long persistentCongestions;

  RecoveryCounters() {}

  /** Packets that were acknowledged while outstanding. */
  public long ackedPackets() {
    return ackedPackets;
  }

  /** Packets that were declared lost. */
  public long lostPackets() {
    return lostPackets;
  }

  /** Packets that were acknowledged after they had been declared lost. */
  public long spuriousLosses() {
    return spuriousLosses;
  }

  /** Probe intervals that passed without a packet. */
  public long probeTimeouts() {
    return probeTimeouts;
  }

  /** How often losses spanned so long that the window fell to its minimum. */
  public long persistentCongestions() {
    return persistentCongestions;
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
