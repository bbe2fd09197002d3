package io.millrace.testkit.internal.patch;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Receives draws from a {@link ThreadLocalRandom}: each method stands for the method of the same
 * name, and asks the simulation's generator instead of {@code self} in a simulation. Public because
 * rewritten classes call this class; not for use in sources.
 */
public final class ThreadRandomCalls {
  private ThreadRandomCalls() {}

  private static Random of(Random self) {
    Surroundings simulated = SimulatedCalls.surroundings();
    return simulated == null ? self : simulated.random();
  }

  /** {@link Random#nextBoolean()}. */
  public static boolean nextBoolean(Random self) {
    return of(self).nextBoolean();
  }

  /** {@link Random#isDeprecated()}. */
  public static boolean isDeprecated(Random self) {
    return of(self).isDeprecated();
  }

  /** {@link Random#nextBytes(byte[])}. */
  public static void nextBytes(Random self, byte[] bytes) {
    of(self).nextBytes(bytes);
  }

  /** {@link Random#setSeed(long)}. */
  public static void setSeed(Random self, long seed) {
    of(self).setSeed(seed);
  }

  /** {@link Random#nextInt()}. */
  public static int nextInt(Random self) {
    return of(self).nextInt();
  }

  /** {@link Random#nextInt(int)}. */
  public static int nextInt(Random self, int bound) {
    return of(self).nextInt(bound);
  }

  /** {@link Random#nextInt(int, int)}. */
  public static int nextInt(Random self, int origin, int bound) {
    return of(self).nextInt(origin, bound);
  }

  /** {@link Random#nextLong()}. */
  public static long nextLong(Random self) {
    return of(self).nextLong();
  }

  /** {@link Random#nextLong(long)}. */
  public static long nextLong(Random self, long bound) {
    return of(self).nextLong(bound);
  }

  /** {@link Random#nextLong(long, long)}. */
  public static long nextLong(Random self, long origin, long bound) {
    return of(self).nextLong(origin, bound);
  }

  /** {@link Random#nextFloat()}. */
  public static float nextFloat(Random self) {
    return of(self).nextFloat();
  }

  /** {@link Random#nextFloat(float)}. */
  public static float nextFloat(Random self, float bound) {
    return of(self).nextFloat(bound);
  }

  /** {@link Random#nextFloat(float, float)}. */
  public static float nextFloat(Random self, float origin, float bound) {
    return of(self).nextFloat(origin, bound);
  }

  /** {@link Random#nextDouble()}. */
  public static double nextDouble(Random self) {
    return of(self).nextDouble();
  }

  /** {@link Random#nextDouble(double)}. */
  public static double nextDouble(Random self, double bound) {
    return of(self).nextDouble(bound);
  }

  /** {@link Random#nextDouble(double, double)}. */
  public static double nextDouble(Random self, double origin, double bound) {
    return of(self).nextDouble(origin, bound);
  }

  /** {@link Random#nextGaussian()}. */
  public static double nextGaussian(Random self) {
    return of(self).nextGaussian();
  }

  /** {@link Random#nextGaussian(double, double)}. */
  public static double nextGaussian(Random self, double mean, double deviation) {
    return of(self).nextGaussian(mean, deviation);
  }

  /** {@link Random#nextExponential()}. */
  public static double nextExponential(Random self) {
    return of(self).nextExponential();
  }

  /** {@link Random#ints()}. */
  public static IntStream ints(Random self) {
    return of(self).ints();
  }

  /** {@link Random#ints(long)}. */
  public static IntStream ints(Random self, long count) {
    return of(self).ints(count);
  }

  /** {@link Random#ints(int, int)}. */
  public static IntStream ints(Random self, int origin, int bound) {
    return of(self).ints(origin, bound);
  }

  /** {@link Random#ints(long, int, int)}. */
  public static IntStream ints(Random self, long count, int origin, int bound) {
    return of(self).ints(count, origin, bound);
  }

  /** {@link Random#longs()}. */
  public static LongStream longs(Random self) {
    return of(self).longs();
  }

  /** {@link Random#longs(long)}. */
  public static LongStream longs(Random self, long count) {
    return of(self).longs(count);
  }

  /** {@link Random#longs(long, long)}. */
  public static LongStream longs(Random self, long origin, long bound) {
    return of(self).longs(origin, bound);
  }

  /** {@link Random#longs(long, long, long)}. */
  public static LongStream longs(Random self, long count, long origin, long bound) {
    return of(self).longs(count, origin, bound);
  }

  /** {@link Random#doubles()}. */
  public static DoubleStream doubles(Random self) {
    return of(self).doubles();
  }

  /** {@link Random#doubles(long)}. */
  public static DoubleStream doubles(Random self, long count) {
    return of(self).doubles(count);
  }

  /** {@link Random#doubles(double, double)}. */
  public static DoubleStream doubles(Random self, double origin, double bound) {
    return of(self).doubles(origin, bound);
  }

  /** {@link Random#doubles(long, double, double)}. */
  public static DoubleStream doubles(Random self, long count, double origin, double bound) {
    return of(self).doubles(count, origin, bound);
  }

  /** {@link Random#equiDoubles(double, double, boolean, boolean)}. */
  public static DoubleStream equiDoubles(
      Random self, double left, double right, boolean leftIncluded, boolean rightIncluded) {
    return of(self).equiDoubles(left, right, leftIncluded, rightIncluded);
  }
}
