package io.millrace.handshake;

/**
 * A node's terms that bound all data on its way to the node.
 *
 * @param lifetimeMs how long an inline limit beyond the first holds; 0 is without end, and then
 *     nothing is bounded and answers to the node cost nothing
 * @param queueUs the time in which the queue in front of the node drains, us; the node's peers ask
 *     again after this time
 */
public record CreditTerms(int lifetimeMs, int queueUs) {
  /** The terms of a node that bounds nothing. */
  public static final CreditTerms ENDLESS = new CreditTerms(0, 0);

  /** Checks the bounds. */
  public CreditTerms {
    if (lifetimeMs < 0 || queueUs < 0) {
      throw new IllegalArgumentException("the terms of credit are not negative");
    }
  }
}
