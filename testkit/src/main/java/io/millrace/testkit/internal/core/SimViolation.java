package io.millrace.testkit.internal.core;

import org.jspecify.annotations.Nullable;

/** A run broke a rule; the message names the seed, the time, the rule and the facts. */
public final class SimViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long seed;
  private final long timeNs;
  private final String rule;

  /**
   * Creates a violation.
   *
   * @param rule the broken rule, in few words; violations of one rule count as the same when a run
   *     is made smaller
   * @param timeNs virtual time
   */
  public SimViolation(
      long seed, long timeNs, String rule, String detail, @Nullable Throwable cause) {
    super("seed " + seed + ", " + timeNs + " ns: " + rule + ": " + detail, cause);
    this.seed = seed;
    this.timeNs = timeNs;
    this.rule = rule;
  }

  /** The seed of the run. */
  public long seed() {
    return seed;
  }

  /** Time of the violation, virtual ns since the start of the run. */
  public long timeNs() {
    return timeNs;
  }

  /** The broken rule. */
  public String rule() {
    return rule;
  }
}
