package io.millrace.testkit.sim;

/**
 * What the hardware of a fabric does about trouble before it tells anybody.
 *
 * @param retryNs what was lost goes again after this
 * @param deadAfterNs who has not answered for so long is unreachable
 * @param rnrDelayNs a message that found no receive buffer comes again after this
 * @param rnrRetries how often it comes again; then it is lost
 */
public record RetrySettings(long retryNs, long deadAfterNs, long rnrDelayNs, int rnrRetries) {
  /** 20 us, 50 ms, 10 us, 10 times. */
  public static final RetrySettings DEFAULT = new RetrySettings(20_000, 50_000_000, 10_000, 10);

  /** Checks the ranges. */
  public RetrySettings {
    if (retryNs < 1 || deadAfterNs < retryNs || rnrDelayNs < 1 || rnrRetries < 0) {
      throw new IllegalArgumentException(
          "retries after " + retryNs + " and " + rnrDelayNs + " ns, dead after " + deadAfterNs);
    }
  }
}
