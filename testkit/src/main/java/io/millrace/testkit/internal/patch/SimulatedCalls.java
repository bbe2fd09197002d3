package io.millrace.testkit.internal.patch;

import java.time.Clock;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Receives rewritten calls. Each method asks the {@link Surroundings} of the calling thread, and
 * without surroundings behaves as the JDK. Public because rewritten classes call this class; not
 * for use in sources.
 */
public final class SimulatedCalls {
  private SimulatedCalls() {}

  /** The surroundings of the calling thread; null outside a simulation. */
  static @Nullable Surroundings surroundings() {
    return Thread.currentThread() instanceof Surrounded thread ? thread.surroundings() : null;
  }

  /** For {@link System#nanoTime}. */
  public static long nanoTime() {
    Surroundings simulated = surroundings();
    return simulated == null ? System.nanoTime() : simulated.nanoTime();
  }

  /** For {@link System#currentTimeMillis}. */
  public static long currentTimeMillis() {
    Surroundings simulated = surroundings();
    return simulated == null ? System.currentTimeMillis() : simulated.currentTimeMillis();
  }

  /** For {@link Clock#systemUTC} and for readers of this clock. */
  public static Clock clock() {
    return new SimulatedClock(ZoneOffset.UTC);
  }

  /** For {@link Clock#systemDefaultZone} and for readers of this clock; UTC in a simulation. */
  public static Clock localClock() {
    return clock(surroundings() == null ? ZoneId.systemDefault() : ZoneOffset.UTC);
  }

  /** For {@link Clock#system} and for readers of this clock. */
  public static Clock clock(ZoneId zone) {
    return new SimulatedClock(zone);
  }

  /** For {@code new Date()}. */
  @SuppressWarnings("JavaUtilDate") // the replaced call makes a Date
  public static Date date() {
    return new Date(currentTimeMillis());
  }

  /** For {@link ThreadLocalRandom#current}. */
  public static Random random() {
    Surroundings simulated = surroundings();
    return simulated == null ? ThreadLocalRandom.current() : simulated.random();
  }

  /** For {@link Math#random}. */
  public static double fraction() {
    return random().nextDouble();
  }

  /** For {@code new Random()}. */
  public static Random newRandom() {
    Surroundings simulated = surroundings();
    return simulated == null ? new Random() : new Random(simulated.seed());
  }

  /** For {@code new SplittableRandom()}. */
  public static SplittableRandom newSplittableRandom() {
    Surroundings simulated = surroundings();
    return simulated == null ? new SplittableRandom() : new SplittableRandom(simulated.seed());
  }

  /** For {@link UUID#randomUUID}. */
  public static UUID uuid() {
    Surroundings simulated = surroundings();
    return simulated == null ? UUID.randomUUID() : simulated.uuid();
  }

  /** The executor of futures whose callbacks have no executor of their own. */
  public static Executor defaultExecutor() {
    Surroundings simulated = surroundings();
    return simulated == null ? ForkJoinPool.commonPool() : simulated.defaultExecutor();
  }

  /**
   * Stands before a call that cannot be simulated, and lets the call pass outside a simulation.
   *
   * @param call the call, as class and method
   * @param instead the replacement, for people
   * @throws NotSimulatedException in a simulation
   */
  public static void refuse(String call, String instead) {
    if (surroundings() != null) {
      throw refusal(call, instead);
    }
  }

  /**
   * Stands before a call that makes a stream, and lets the call pass unless the stream is parallel.
   *
   * @throws NotSimulatedException in a simulation, if the stream is parallel
   */
  public static void refuse(boolean isParallel) {
    if (isParallel) {
      refuse("a parallel stream", CallKind.POOL.instead());
    }
  }

  /** Tells the simulation, if the thread runs a simulation, of a call that cannot be simulated. */
  static NotSimulatedException refusal(String call, String instead) {
    NotSimulatedException refusal = new NotSimulatedException(call, instead);
    Surroundings simulated = surroundings();
    if (simulated != null) {
      simulated.onRefused(refusal);
    }
    return refusal;
  }
}
