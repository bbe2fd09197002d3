package io.millrace.config;

/**
 * What of a worker's regions is kept for those who come first.
 *
 * @param percent part of the regions of each size and of the grant budget
 * @param priorities how many priorities it is for, from 0 on
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
