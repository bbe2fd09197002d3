package io.millrace.config;

/**
 * The bounds on waiting calls at a node.
 *
 * @param calls calls that may wait for a peer: for the peer's handshake, credit or window
 * @param submissions calls of this node that may wait for room in their worker's ring, or for the
 *     completion of an open future; 0 if no call may wait
 * @param admissionMinimum the part of the turns that each priority has at least in any line of
 *     waiting calls, percent
 * @param pending how calls that wait for the executor slow down the grants to peers
 * @param requestBudgetBytes bytes of requests of all peers that are not answered yet
 * @param retries the calls that wait for another attempt
 */
public record WaitingSettings(
    int calls,
    int submissions,
    int admissionMinimum,
    PendingSettings pending,
    long requestBudgetBytes,
    RetrySettings retries) {
  /** The calls that a node tries again without a policy of their own. */
  public enum RetriedCalls {
    /** No calls. */
    NONE,
    /** Calls that are declared idempotent, by themselves or by their route. */
    IDEMPOTENT,
    /** All calls; a call that is not idempotent only after a failure without execution. */
    ALL
  }

  /**
   * Further attempts of failed calls.
   *
   * @param calls the calls that are tried again without a policy of their own
   * @param attempts the most attempts of one call
   * @param backoffNs the pause before the second attempt
   * @param maxBackoffNs the longest pause
   * @param budgetPercent retries paid back by a hundred calls
   * @param budgetBurst retries lent at most to the calls of one route to one peer
   * @param waitingBytes bytes of the calls of this node that wait for their next attempt
   */
  public record RetrySettings(
      RetriedCalls calls,
      int attempts,
      long backoffNs,
      long maxBackoffNs,
      int budgetPercent,
      int budgetBurst,
      long waitingBytes) {
    private static final long SHORTEST_NS = 1_000_000;
    private static final long LONGEST_NS = 3_600_000_000_000L;

    static RetrySettings from(Section retry) {
      long backoffNs = retry.nanos("backoff", SHORTEST_NS, LONGEST_NS);
      return new RetrySettings(
          retry.choice("calls", RetriedCalls.class),
          retry.integer("attempts", 1, 1_000),
          backoffNs,
          retry.nanos("max-backoff", backoffNs, LONGEST_NS),
          retry.integer("budget-percent", 0, 1_000),
          retry.integer("budget-burst", 1, 1_000_000),
          retry.longBytes("waiting", 0, 1L << 40));
    }
  }

  static WaitingSettings from(Section limits, Section retry) {
    return new WaitingSettings(
        limits.integer("waiting-calls", 1, 1 << 24),
        limits.integer("waiting-submissions", 0, 1 << 24),
        limits.integer("admission-minimum", 0, 12),
        PendingSettings.from(limits),
        limits.longBytes("request-budget", 1 << 16, 1L << 40),
        RetrySettings.from(retry));
  }
}
