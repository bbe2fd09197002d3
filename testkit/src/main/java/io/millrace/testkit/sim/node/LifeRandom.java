package io.millrace.testkit.sim.node;

import io.millrace.testkit.sim.core.Draws;
import java.util.random.RandomGenerator;

/** What stands for secure randomness in a simulated node: each number a hash of its ordinal. */
final class LifeRandom implements RandomGenerator {
  private final Draws draws;
  private final long entity;
  private long ordinal;

  LifeRandom(Draws draws, long entity) {
    this.draws = draws;
    this.entity = entity;
  }

  @Override
  public long nextLong() {
    return draws.draw(entity, ordinal++);
  }
}
