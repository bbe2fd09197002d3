package io.millrace.testkit.internal.core;

/**
 * The bounds of a run.
 *
 * @param eventsAtOneInstant more events without any passing time are a livelock
 * @param nestedWaits waits of control planes inside one another, at most
 * @param order decides the order of events that may happen in any order: 0 is the order of the
 *     seed, and each other number is another order, which changes nothing else
 */
public record SimSettings(int eventsAtOneInstant, int nestedWaits, long order) {
  /**
   * A million events at the same instant, eight waits inside one another, the order of the seed.
   */
  public static final SimSettings DEFAULT = new SimSettings(1_000_000, 8, 0);

  /** These settings with another order. */
  public SimSettings withOrder(long other) {
    return new SimSettings(eventsAtOneInstant, nestedWaits, other);
  }
}
