package io.millrace.protocol.region;

/**
 * Estimates the wait of a waiting holder: the recent length of a turn, or the drought so far if the
 * drought is longer, times the turns ahead. Owned by a {@link RegionPool}. Time is passed in; does
 * not allocate.
 */
final class RegionForecast {
  /** No turn was ever waited for. */
  static final long UNKNOWN = -1;

  private static final int WEIGHT = 8;

  private long turnNs = UNKNOWN;
  private long sinceNs;
  private boolean isPressed;

  /**
   * All demand was looked at.
   *
   * @param turns how many holders were served
   * @param pressed whether somebody waits all the same
   */
  void onPass(long nowNs, int turns, boolean pressed) {
    if (isPressed && turns > 0) {
      final long tookNs = (nowNs - sinceNs) / turns;
      turnNs = turnNs == UNKNOWN ? tookNs : turnNs + (tookNs - turnNs) / WEIGHT;
    }
    if (!isPressed || turns > 0) {
      sinceNs = nowNs;
    }
    isPressed = pressed;
  }

  /** The time for this number of turns, ns; {@link #UNKNOWN} before the first turn with a wait. */
  long estimateNs(int turns, long nowNs) {
    return turnNs == UNKNOWN ? UNKNOWN : turns * Math.max(turnNs, nowNs - sinceNs);
  }
}
