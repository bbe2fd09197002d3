package io.millrace.handshake.psk;

/**
 * How much strangers and peers can make a node remember and send; all positive.
 *
 * @param initiations exchanges that this node has begun and that have not ended
 * @param halfOpen exchanges that peers have begun and not finished; the oldest makes room
 * @param completed exchanges that peers have finished, remembered to answer repetitions
 * @param answers the number of answers in a single exchange
 * @param rejectsPerSecond refusals sent in a second
 */
public record PskLimits(
    int initiations, int halfOpen, int completed, int answers, int rejectsPerSecond) {
  /** 1,024 exchanges of each kind, 16 answers, 100 refusals a second. */
  public static final PskLimits DEFAULT = new PskLimits(1_024, 1_024, 1_024, 16, 100);

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a limit is not positive
   */
  public PskLimits {
    if (initiations <= 0
        || halfOpen <= 0
        || completed <= 0
        || answers <= 0
        || rejectsPerSecond <= 0) {
      throw new IllegalArgumentException("the limits of the handshake are positive");
    }
  }
}
