package io.millrace.testkit.internal.patch;

import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * What code that runs in a simulation gets instead of the JDK's clock, random numbers and common
 * pool. Belongs to the node whose turn it is; used on the simulation's thread alone.
 */
public interface Surroundings {
  /** Monotonic time of the node, ns: what {@link System#nanoTime} would say. */
  long nanoTime();

  /** Time of day of the node, ms since 1970: what {@link System#currentTimeMillis} would say. */
  long currentTimeMillis();

  /** The random numbers of the node, for what would ask the thread's own generator. */
  Random random();

  /** A seed for a generator that the code makes itself and would leave to chance. */
  long seed();

  /** An identifier that is unique within the simulation. */
  UUID uuid();

  /** Where callbacks of futures run instead of on the common pool. */
  Executor defaultExecutor();

  /**
   * Learns that the code made a call that cannot be simulated, just before the call fails with
   * {@link NotSimulatedException}: the code may catch that, the simulation should not miss it.
   *
   * @param refusal names the call, and what to use instead
   */
  default void onRefused(NotSimulatedException refusal) {}
}
