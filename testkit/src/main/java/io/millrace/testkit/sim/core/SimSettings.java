package io.millrace.testkit.sim.core;

/**
 * The bounds of one run.
 *
 * @param eventsAtOneInstant more events without any time passing are a livelock
 * @param nestedWaits waits of control planes inside one another, at most
 */
public record SimSettings(int eventsAtOneInstant, int nestedWaits) {
  /** A million events at one instant, eight waits inside one another. */
  public static final SimSettings DEFAULT = new SimSettings(1_000_000, 8);
}
