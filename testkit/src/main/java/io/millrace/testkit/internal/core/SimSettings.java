package io.millrace.testkit.internal.core;

/**
 * The bounds of one run.
 *
 * @param eventsAtOneInstant more events without any time passing are a livelock
 * @param nestedWaits waits of control planes inside one another, at most
 * @param order in which order happens what may happen in any: 0 is that of the seed, each other
 *     number another one, which changes nothing else
 */
public record SimSettings(int eventsAtOneInstant, int nestedWaits, long order) {
  /** A million events at one instant, eight waits inside one another, the order of the seed. */
  public static final SimSettings DEFAULT = new SimSettings(1_000_000, 8, 0);

  /** The same in another order. */
  public SimSettings withOrder(long other) {
    return new SimSettings(eventsAtOneInstant, nestedWaits, other);
  }
}
