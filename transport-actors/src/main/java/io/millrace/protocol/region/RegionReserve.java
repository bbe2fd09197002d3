package io.millrace.protocol.region;

/**
 * The reserve for the first priorities: of the regions of each size, and of the budget.
 *
 * @param percent the reserved part, 0 to 90; rounded down to whole regions, and to whole steps of
 *     the budget, with at least a step left to the other priorities
 * @param priorities the number of priorities that the reserve is for, from 0 on, 0 to 8
 */
public record RegionReserve(int percent, int priorities) {
  /** Nothing is kept for anybody. */
  public static final RegionReserve NONE = new RegionReserve(0, 0);

  private static final int MOST_PERCENT = 90;

  /** Checks the values. */
  public RegionReserve {
    if (percent < 0 || percent > MOST_PERCENT) {
      throw new IllegalArgumentException("percent must be in 0..90: " + percent);
    }
    if (priorities < 0 || priorities > RegionHolder.PRIORITIES) {
      throw new IllegalArgumentException("priorities must be in 0..8: " + priorities);
    }
  }

  /** Whether this priority may take the reserve. */
  boolean isFor(int priority) {
    return priority < priorities;
  }

  /** The reserved part of {@code whole}. */
  long of(long whole) {
    return whole / 100 * percent + whole % 100 * percent / 100;
  }
}
