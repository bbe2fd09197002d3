package io.millrace.config;

/**
 * The part of a worker's regions that is reserved for the first priorities.
 *
 * @param percent part of the regions of each size and of the grant budget
 * @param priorities the number of priorities that the reserve is for, from 0 on
 */
public record ReserveSettings(int percent, int priorities) {
  private static final int MOST_PERCENT = 90;
  private static final int PRIORITIES = 8;

  static ReserveSettings from(Section section) {
    return new ReserveSettings(
        section.integer("reserve", 0, MOST_PERCENT),
        section.integer("reserve-priorities", 0, PRIORITIES));
  }
}
