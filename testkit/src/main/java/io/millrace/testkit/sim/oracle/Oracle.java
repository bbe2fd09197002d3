package io.millrace.testkit.sim.oracle;

/**
 * A rule that every run must keep. It reports by {@code Simulation.fail} with its name, and changes
 * nothing. Simulation thread only.
 */
public interface Oracle {
  /** An event has happened. Called after each one: cheap, or done at some of the calls only. */
  default void onStep() {}

  /** The last fault is healed: what was under way must come to an end from here on. */
  default void onHealed() {}

  /** Everything was closed and nothing is left to happen. */
  default void onQuiescent() {}

  /** The rule, in few words. */
  String name();
}
