package io.millrace.config;

import io.millrace.transfer.RetryPolicy;
import java.time.Duration;

/**
 * The bounds on waiting calls at a node.
 *
 * @param calls calls that may wait for a peer: for the peer's handshake, credit or window
 * @param submissions calls of this node that may wait for room in their worker's ring, or for the
 *     completion of an open future; 0 if no call may wait
 * @param pending how calls that wait for the executor slow down the grants to peers
 * @param requestBudgetBytes bytes of requests of all peers that are not answered yet
 * @param retries the calls that wait for another attempt
 */
public record WaitingSettings(
    int calls,
    int submissions,
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
   * @param calls the calls that are tried again by {@code policy}
   * @param policy the policy of calls without a policy of their own
   * @param waitingBytes bytes of the calls of this node that wait for their next attempt
   */
  public record RetrySettings(RetriedCalls calls, RetryPolicy policy, long waitingBytes) {
    static RetrySettings from(Section retry) {
      long longest = RetryPolicy.LONGEST.toNanos();
      long backoffNs = retry.nanos("backoff", RetryPolicy.SHORTEST.toNanos(), longest);
      return new RetrySettings(
          retry.choice("calls", RetriedCalls.class),
          new RetryPolicy(
              retry.integer("attempts", 1, RetryPolicy.MOST_ATTEMPTS),
              Duration.ofNanos(backoffNs),
              Duration.ofNanos(retry.nanos("max-backoff", backoffNs, longest)),
              retry.integer("budget-percent", 0, RetryPolicy.MOST_PERCENT),
              retry.integer("budget-burst", 1, RetryPolicy.MOST_BURST)),
          retry.longBytes("waiting", 0, 1L << 40));
    }
  }

  static WaitingSettings from(Section limits, Section retry) {
    return new WaitingSettings(
        limits.integer("waiting-calls", 1, 1 << 24),
        limits.integer("waiting-submissions", 0, 1 << 24),
        PendingSettings.from(limits),
        limits.longBytes("request-budget", 1 << 16, 1L << 40),
        RetrySettings.from(retry));
  }
}
