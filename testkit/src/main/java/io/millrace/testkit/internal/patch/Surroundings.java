package io.millrace.testkit.internal.patch;

import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * The replacement of the JDK's clock, random numbers and common pool for code in a simulation.
 * Belongs to the node whose turn runs; used on the simulation's thread alone.
 */
public interface Surroundings {
  /** Monotonic time of the node, ns: the result of {@link System#nanoTime}. */
  long nanoTime();

  /** Time of day of the node, ms since 1970: the result of {@link System#currentTimeMillis}. */
  long currentTimeMillis();

  /** The random numbers of the node, for code that would ask the thread's own generator. */
  Random random();

  /** A seed for a generator that the code makes itself without a seed. */
  long seed();

  /** An identifier, unique within the simulation. */
  UUID uuid();

  /** The executor for callbacks of futures, instead of the common pool. */
  Executor defaultExecutor();

  /**
   * Learns that the code made a call that cannot be simulated, just before the call fails with
   * {@link NotSimulatedException}. The code may catch the exception; the simulation should not miss
   * the call.
   *
   * @param refusal names the call and its replacement
   */
  default void onRefused(NotSimulatedException refusal) {}
}
