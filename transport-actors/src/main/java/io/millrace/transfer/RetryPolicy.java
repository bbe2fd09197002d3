package io.millrace.transfer;

import java.time.Duration;
import java.util.Objects;

/**
 * How a node tries a failed call again, without the application. A further attempt follows only a
 * failure that {@link #covers} the call, and only within the call's deadline. The pause before the
 * second attempt is {@code backoff}, and twice as long before each later attempt, up to {@code
 * maxBackoff}; each pause is drawn anew between half of this time and the whole.
 *
 * <p>The budget bounds the load that retries add to a peer: for each peer and route, the node lends
 * {@code budgetBurst} retries. Each call of the route pays {@code budgetPercent} hundredths of a
 * retry back. Without a free retry the call fails. An attempt that no packet left the node for
 * costs nothing.
 *
 * @param attempts the most attempts of one call, the first attempt included: 1 to 1,000; 1 tries
 *     nothing again
 * @param backoff the pause before the second attempt: 1 ms to 1 hour
 * @param maxBackoff the longest pause: {@code backoff} to 1 hour
 * @param budgetPercent retries paid back by a hundred calls: 0 to 1,000
 * @param budgetBurst retries lent at most at any moment: 1 to 1,000,000
 */
public record RetryPolicy(
    int attempts, Duration backoff, Duration maxBackoff, int budgetPercent, int budgetBurst) {
  /** The most attempts of one call. */
  public static final int MOST_ATTEMPTS = 1_000;

  /** The largest {@code budgetPercent}. */
  public static final int MOST_PERCENT = 1_000;

  /** The largest {@code budgetBurst}. */
  public static final int MOST_BURST = 1_000_000;

  /** The shortest pause. */
  public static final Duration SHORTEST = Duration.ofMillis(1);

  /** The longest pause. */
  public static final Duration LONGEST = Duration.ofHours(1);

  /**
   * Four attempts, with pauses of at most 20, 40 and 80 ms; a retry for five calls, and a thousand
   * in advance.
   */
  public static final RetryPolicy DEFAULTS =
      new RetryPolicy(4, Duration.ofMillis(20), Duration.ofSeconds(1), 20, 1_000);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the value that is out of range
   */
  public RetryPolicy {
    Objects.requireNonNull(backoff, "backoff");
    Objects.requireNonNull(maxBackoff, "maxBackoff");
    check("attempts", attempts, 1, MOST_ATTEMPTS);
    check("budgetPercent", budgetPercent, 0, MOST_PERCENT);
    check("budgetBurst", budgetBurst, 1, MOST_BURST);
    if (backoff.compareTo(SHORTEST) < 0 || backoff.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a backoff of " + backoff + " is not within 1 ms to 1 hour");
    }
    if (maxBackoff.compareTo(backoff) < 0 || maxBackoff.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a maxBackoff of "
              + maxBackoff
              + " is not within the backoff, "
              + backoff
              + ", to 1 hour");
    }
  }

  private static void check(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " of " + value + " is not within " + least + " to " + most);
    }
  }

  /**
   * Returns the same policy with this number of attempts, the first attempt included.
   *
   * @throws IllegalArgumentException if the value is out of range
   */
  public RetryPolicy withAttempts(int attempts) {
    return new RetryPolicy(attempts, backoff, maxBackoff, budgetPercent, budgetBurst);
  }

  /**
   * Returns the same policy with these pauses.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public RetryPolicy withBackoff(Duration backoff, Duration maxBackoff) {
    return new RetryPolicy(attempts, backoff, maxBackoff, budgetPercent, budgetBurst);
  }

  /**
   * Returns the same policy with this budget.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public RetryPolicy withBudget(int budgetPercent, int budgetBurst) {
    return new RetryPolicy(attempts, backoff, maxBackoff, budgetPercent, budgetBurst);
  }

  /**
   * Whether a policy covers this failure of a call. The call may end otherwise at another attempt,
   * and another attempt is safe: no handler ran, or the call is declared idempotent. A passed
   * deadline is not covered. A route without a handler is covered, because a starting node has not
   * served its routes yet.
   */
  public static boolean covers(CallOutcome outcome, boolean isIdempotent) {
    boolean mayEndOtherwise =
        outcome == CallOutcome.UNKNOWN_ROUTE
            || outcome.isRetryable() && outcome != CallOutcome.EXPIRED;
    return mayEndOtherwise && (isIdempotent || outcome.execution() == CallOutcome.Execution.NO);
  }
}
