package io.millrace.testkit.sim;

/**
 * The retries of a fabric's hardware before the hardware reports a failure.
 *
 * @param retryNs delay before a lost message goes again, ns
 * @param deadAfterNs silence after which a peer is unreachable, ns
 * @param rnrDelayNs delay before a message without a receive buffer comes again, ns
 * @param rnrRetries how often such a message comes again; then the message is lost
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
