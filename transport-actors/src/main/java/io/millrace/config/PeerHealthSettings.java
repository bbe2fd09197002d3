package io.millrace.config;

/**
 * The conditions of a peer's health, and the search for a peer that was given up; a part of {@link
 * RecoverySettings}.
 *
 * @param outcomes packets that the failure rate of a peer remembers
 * @param everyNs the rate is brought up to date so often at most
 * @param degradePercent failure rate from which on a peer is degraded
 * @param recoverPercent failure rate up to which a degraded peer is healthy again
 * @param degradedTimeoutNs how long much may fail before the peer is probed and gets no new calls
 * @param answeredProbes probes answered in a row after which the peer gets calls again
 * @param degradedPriority by how many levels the priority of calls to a degraded peer is lowered
 * @param usesIcmp whether the network's report of an absent peer makes this node probe the peer
 * @param search the search for a peer that was given up
 */
public record PeerHealthSettings(
    int outcomes,
    long everyNs,
    int degradePercent,
    int recoverPercent,
    long degradedTimeoutNs,
    int answeredProbes,
    int degradedPriority,
    boolean usesIcmp,
    Search search) {
  private static final int MOST_OUTCOMES = 65_536;
  private static final int MOST_PROBES = 15;
  private static final int LOWEST_PRIORITY = 7;
  private static final int ALL = 100;

  /**
   * The search for a peer that was given up: by handshakes, while an application wants the peer.
   *
   * @param periodNs the time from a handshake to the next at first; the time doubles with each
   *     handshake
   * @param mostPeriodNs up to this
   * @param interestNs a refused call wants the peer for so long
   */
  public record Search(long periodNs, long mostPeriodNs, long interestNs) {
    static Search from(Section section) {
      long periodNs = section.nanos("period", 1_000_000L, RecoverySettings.MAX_NS);
      return new Search(
          periodNs,
          section.nanos("most-period", periodNs, RecoverySettings.MAX_NS),
          section.nanos("interest", 1_000_000L, RecoverySettings.MAX_NS));
    }
  }

  static PeerHealthSettings from(Section section) {
    int degradePercent = section.integer("degrade-percent", 1, ALL);
    return new PeerHealthSettings(
        section.integer("outcomes", 1, MOST_OUTCOMES),
        section.nanos("every", 0L, RecoverySettings.MAX_NS),
        degradePercent,
        section.integer("recover-percent", 0, degradePercent - 1),
        section.nanos("degraded-timeout", 1_000_000L, RecoverySettings.MAX_NS),
        section.integer("answered-probes", 1, MOST_PROBES),
        section.integer("degraded-priority", 0, LOWEST_PRIORITY),
        section.flag("icmp"),
        Search.from(section.child("search")));
  }
}
