package io.millrace.testkit.sim.oracle;

/**
 * Watches one run for one kind of violation and reports it with {@code Simulation.fail}. One that
 * looks while the run goes on is a {@link StepOracle}, or observes the nodes. Simulation thread
 * only.
 */
public interface Oracle {
  /** No more faults happen from now on. */
  default void onHealed() {}

  /** Everything was closed and nothing is left to happen. */
  default void onQuiescent() {}

  /** What it watches, in few words. */
  String name();
}
