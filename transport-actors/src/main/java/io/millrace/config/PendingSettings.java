package io.millrace.config;

/**
 * Slows down grants to peers by the number of calls that wait for the application's executor.
 *
 * @param low up to this number of calls nothing is slowed
 * @param high from this number of calls on the least is granted
 */
public record PendingSettings(int low, int high) {
  /** Nothing is ever slowed. */
  public static final PendingSettings NEVER =
      new PendingSettings(Integer.MAX_VALUE - 1, Integer.MAX_VALUE);

  static PendingSettings from(Section section) {
    int low = section.integer("pending-low", 0, 1 << 24);
    return new PendingSettings(low, section.integer("pending-high", low + 1, 1 << 25));
  }

  /**
   * The part of a budget that is left while this number of calls waits: the whole budget, nothing,
   * or a proportion between.
   */
  public long of(long bytes, int waiting) {
    if (waiting <= low) {
      return bytes;
    }
    return waiting >= high ? 0 : (long) ((double) bytes * (high - waiting) / (high - low));
  }
}
