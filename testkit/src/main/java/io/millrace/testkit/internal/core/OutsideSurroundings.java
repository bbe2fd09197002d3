package io.millrace.testkit.internal.core;

import io.millrace.testkit.internal.patch.NotSimulatedException;
import io.millrace.testkit.internal.patch.Surroundings;
import io.millrace.testkit.sim.VirtualTime;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;

/** The surroundings of a scenario's own code, outside of all nodes: virtual time itself. */
final class OutsideSurroundings implements Surroundings {
  private static final long EPOCH_MS = 1_700_000_000_000L;
  private static final long NS_PER_MS = 1_000_000;

  private final Simulation simulation;
  private final VirtualTime time;
  private final DrawnRandom random;

  OutsideSurroundings(Simulation simulation) {
    this.simulation = simulation;
    this.time = simulation.newTime("outside", 0);
    this.random = new DrawnRandom(simulation.draws("core.outside"), 0);
  }

  @Override
  public long nanoTime() {
    return time.nowNs();
  }

  @Override
  public long currentTimeMillis() {
    return EPOCH_MS + time.nowNs() / NS_PER_MS;
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
    return task -> time.at(time.nowNs(), task);
  }

  @Override
  public void onRefused(NotSimulatedException refusal) {
    simulation.fail("not simulated", String.valueOf(refusal.getMessage()), refusal);
  }
}
