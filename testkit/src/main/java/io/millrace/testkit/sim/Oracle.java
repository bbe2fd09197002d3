package io.millrace.testkit.sim;

import org.jspecify.annotations.Nullable;

/**
 * Watches one run for one kind of violation and reports it with {@link SimRun#fail}. One that looks
 * while the run goes on is a {@link StepOracle}. Simulation thread only.
 */
public interface Oracle {
  /** No more faults happen from now on. */
  default void onHealed() {}

  /**
   * What is still under way although the application waits for nothing, for people; null if nothing
   * is. Asked again and again when all calls have ended.
   */
  default @Nullable String unfinished() {
    return null;
  }

  /**
   * What the transports that were closed still have although their actor systems live, for people;
   * null if nothing is. Asked again and again when all are closed.
   */
  default @Nullable String unclosed() {
    return null;
  }

  /** Everything was closed and nothing is left to happen. */
  default void onQuiescent() {}

  /** What it watches, in few words. */
  String name();
}
