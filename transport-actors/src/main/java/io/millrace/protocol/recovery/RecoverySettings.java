package io.millrace.protocol.recovery;

/**
 * All settings of a {@link PathRecovery}.
 *
 * @param initialRttNs the round trip time until the first sample, ns: measured in the handshake, or
 *     {@link #UNKNOWN_RTT_NS}
 * @param maxAckDelayNs the longest that the peer holds back an acknowledgement on purpose, ns
 * @param patienceNs how much longer the peer may hold back the acknowledgement of a packet that may
 *     wait, ns; 0 if no packet may wait
 * @param loss when a packet counts as lost
 * @param probeTimeout when to ask again
 * @param log how much may be outstanding
 */
public record RecoverySettings(
    long initialRttNs,
    long maxAckDelayNs,
    long patienceNs,
    LossSettings loss,
    ProbeTimeoutSettings probeTimeout,
    SentLogSettings log) {
  /** The round trip time of a path of which nothing is known: 10 ms. */
  public static final long UNKNOWN_RTT_NS = 10_000_000;

  /** The defaults, for a path of which nothing is known and a peer with default settings. */
  public static final RecoverySettings DEFAULT =
      new RecoverySettings(
          UNKNOWN_RTT_NS,
          ReceivedPackets.DEFAULT_ACK_DELAY_NS,
          /* patienceNs= */ 0,
          LossSettings.DEFAULT,
          ProbeTimeoutSettings.DEFAULT,
          SentLogSettings.DEFAULT);

  private static final long MAX_NS = 1L << 36;

  /** Checks the values. */
  public RecoverySettings {
    if (initialRttNs < 1 || initialRttNs > MAX_NS) {
      throw new IllegalArgumentException(
          "initialRttNs must be in 1.." + MAX_NS + ": " + initialRttNs);
    }
    if (maxAckDelayNs < 0 || maxAckDelayNs > MAX_NS) {
      throw new IllegalArgumentException(
          "maxAckDelayNs must be in 0.." + MAX_NS + ": " + maxAckDelayNs);
    }
    if (patienceNs < 0 || patienceNs > MAX_NS) {
      throw new IllegalArgumentException("patienceNs must be in 0.." + MAX_NS + ": " + patienceNs);
    }
  }

  /**
   * Returns these settings for a path: with the measured round trip time, and a jitter seed of the
   * path's own.
   */
  public RecoverySettings forPath(long measuredRttNs, long jitterSeed) {
    return new RecoverySettings(
        measuredRttNs,
        maxAckDelayNs,
        patienceNs,
        loss,
        probeTimeout.withJitterSeed(jitterSeed),
        log);
  }
}
