package io.millrace.ends;

import io.millrace.protocol.transfer.FrameQueue;

/**
 * Gives each priority a least part of the turns, so that no priority starves: {@code
 * millrace.limits.admission-minimum} percent. All other turns go to the most urgent priority that
 * waits. A priority that does not wait leaves its turns to the most urgent priority. Immutable.
 */
final class AdmissionTurns {
  /** The highest least part of a priority in percent: eight priorities have 96 % together. */
  static final int MOST_PERCENT = 12;

  private static final int ALL_PERCENT = 100;

  /** Turns after which the order of the turns begins anew; 0 without a least part. */
  private final int period;

  /** Turns between the turn of a priority and the turn of the next priority. */
  private final int step;

  AdmissionTurns(int leastPercent) {
    if (leastPercent < 0 || leastPercent > MOST_PERCENT) {
      throw new IllegalArgumentException("a least part of " + leastPercent + " percent");
    }
    period = leastPercent == 0 ? 0 : ALL_PERCENT / leastPercent;
    step = period / FrameQueue.LEVELS;
  }

  /** The priority that goes first in this turn; 0 in the turns of the most urgent priority. */
  int first(long turn) {
    if (period == 0) {
      return 0;
    }
    int place = (int) (turn % period);
    return place % step == 0 && place / step < FrameQueue.LEVELS ? place / step : 0;
  }
}
