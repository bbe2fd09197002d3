package io.millrace.node;

import java.time.Duration;

/**
 * The work that a drained node had not brought to an end within the drain's time.
 *
 * @param served transfers of peers that are in execution, or whose answer has not arrived
 * @param undecidedPeers paths whose peer has not yet said that the peer has nothing open at this
 *     node
 * @param calls transfers of this node without an outcome
 */
public record DrainReport(long served, int undecidedPeers, long calls) {
  private static final Duration LONGEST = Duration.ofDays(365);

  /**
   * Checks how long a drain may take.
   *
   * @throws IllegalArgumentException if the limit is negative, or more than 365 days
   */
  public static void requireLimit(Duration limit) {
    if (limit.isNegative() || limit.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a drain of " + limit + " is not within nothing and 365 days");
    }
  }

  /** Whether everything came to its end: to close the node leaves no transfer in doubt. */
  public boolean isComplete() {
    return served == 0 && undecidedPeers == 0 && calls == 0;
  }
}
