package io.millrace.testkit.internal.core;

import io.millrace.testkit.sim.Draws;
import java.util.Random;

/**
 * Stands for a generator of random numbers in code under simulation: each number is a hash of the
 * entity and the count of earlier numbers. Simulation thread only.
 */
public final class DrawnRandom extends Random {
  private static final long serialVersionUID = 1L;

  private final transient Draws draws;
  private final long entity;
  private long ordinal;

  /** Creates the numbers of an entity in a domain. */
  public DrawnRandom(Draws draws, long entity) {
    super(0);
    this.draws = draws;
    this.entity = entity;
  }

  @Override
  public long nextLong() {
    return draws.draw(entity, ordinal++);
  }

  @Override
  protected int next(int bits) {
    return (int) (nextLong() >>> Long.SIZE - bits);
  }

  /** Changes nothing: the numbers depend on the run's seed only. */
  @Override
  public synchronized void setSeed(long seed) {}
}
