package io.millrace.testkit.sim;

import org.jspecify.annotations.Nullable;

/**
 * Watches one run for one kind of violation and reports each violation with {@link SimRun#fail}. An
 * oracle that looks while the run goes on is a {@link StepOracle}. Simulation thread only.
 */
public interface Oracle {
  /** No more faults happen from now on. */
  default void onHealed() {}

  /**
   * Returns a description of the work still under way although the application waits for nothing,
   * for people; null without such work. Asked again and again when all calls have ended.
   */
  default @Nullable String unfinished() {
    return null;
  }

  /**
   * Returns a description of the remains of closed transports whose actor systems live, for people;
   * null without remains. Asked again and again when all transports are closed.
   */
  default @Nullable String unclosed() {
    return null;
  }

  /** All transports and systems are closed, and no event is left to happen. */
  default void onQuiescent() {}

  /** The subject of this oracle, in few words. */
  String name();
}
