package io.millrace.protocol.schedule;

/**
 * Decides whether timers wait in a turn that comes late. The peers' packets may lie in a socket,
 * behind more packets than a turn reads, and a peer is silent only if no packet of the peer waits
 * there. So timers wait until all arrived packets have been read, or until many turns have read as
 * much as they may.
 *
 * <p>Each worker has its own object, on the worker's thread; time is passed in. Does not allocate.
 * Rule L-9.
 */
public final class LateTurns {
  /** Timers last looked at so long ago are late; a turn takes a hundredth of this time. */
  static final long LATE_NS = 10_000_000;

  /** Timers wait for this number of turns at most: more than the buffer of a socket fills. */
  static final int MOST_TURNS = 256;

  private int heldTurns;

  /**
   * A turn has polled the network and comes to its timers.
   *
   * @param hasMore whether more packets may have arrived than the turn read
   * @param advancedNs the time of the last firing of timers
   * @return whether timers wait for a later turn
   */
  public boolean holdsTimers(boolean hasMore, long advancedNs, long nowNs) {
    boolean holds = hasMore && nowNs - advancedNs >= LATE_NS && heldTurns < MOST_TURNS;
    heldTurns = holds ? heldTurns + 1 : 0;
    assert heldTurns <= MOST_TURNS;
    return holds;
  }
}
