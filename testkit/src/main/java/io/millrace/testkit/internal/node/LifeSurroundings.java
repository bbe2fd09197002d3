package io.millrace.testkit.internal.node;

import io.millrace.testkit.internal.core.DrawnRandom;
import io.millrace.testkit.internal.patch.NotSimulatedException;
import io.millrace.testkit.internal.patch.Surroundings;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;

/** What the code of one life of a node sees instead of the JDK's clock, chance and common pool. */
final class LifeSurroundings implements Surroundings {
  private static final String DEFAULT_DISPATCHER = "pekko.actor.default-dispatcher";

  private final NodeLife life;
  private final DrawnRandom random;

  LifeSurroundings(NodeLife life) {
    this.life = life;
    this.random = life.newRandom("surroundings");
  }

  @Override
  public long nanoTime() {
    return life.node().clock().nowNs();
  }

  @Override
  public long currentTimeMillis() {
    return life.node().clock().wallMs();
  }

  @Override
  public Random random() {
    return random;
  }

  @Override
  public long seed() {
    return random.nextLong();
  }

  @Override
  public UUID uuid() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  @Override
  public Executor defaultExecutor() {
    return life.pool(DEFAULT_DISPATCHER)::execute;
  }

  @Override
  public void onRefused(NotSimulatedException refusal) {
    String what = life.node().name() + ": " + refusal.getMessage();
    life.simulation().fail("not simulated", what, refusal);
  }
}
