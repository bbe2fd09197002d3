package io.millrace.testkit.sim.oracle;

/**
 * Watches one run for one kind of violation and reports it with {@code Simulation.fail}. Simulation
 * thread only.
 */
public interface Oracle {
  /** Something happened; called after every event, so it must be cheap. */
  default void onStep() {}

  /** No more faults happen from now on. */
  default void onHealed() {}

  /** Everything was closed and nothing is left to happen. */
  default void onQuiescent() {}

  /** What it watches, in few words. */
  String name();
}
