package io.millrace.testkit.internal.node;

import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.core.DrawnRandom;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.patch.NotSimulatedException;
import io.millrace.testkit.internal.patch.Surroundings;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.agrona.collections.Long2LongHashMap;

/**
 * One life of a node, from boot to crash, as all its parts and all who watch it know it: whose it
 * is, its clock and chance, whether it is over, and the transports that were started in it. It
 * knows none of the parts that run in it ({@link NodeProcess}). Simulation thread only.
 */
public final class NodeLife {
  private static final int INCARNATION_SHIFT = 16;
  private static final int NODE_SHIFT = 40;
  private static final long NO_PATH = 0;

  private final Simulation simulation;
  private final SimNode node;
  private final NodeSettings settings;
  private final NodeClock clock;
  private final NodeObserver observer;
  private final int incarnation;
  private final Draws steps;
  private final Surroundings surroundings;

  /** Replaced when a transport starts, never changed: rules ask for it at each packet. */
  private List<TransportPool> pools = List.of();

  /** By the id that packets bear; looked up only. */
  private final Long2LongHashMap pathIds = new Long2LongHashMap(NO_PATH);

  private boolean isOver;

  /**
   * A life that begins.
   *
   * @param observer told of what happens in it
   * @param executors asked for the executor that stands for the JDK's common pool
   */
  NodeLife(
      Simulation simulation,
      SimNode node,
      NodeSettings settings,
      NodeClock clock,
      NodeObserver observer,
      Supplier<Executor> executors) {
    this.simulation = simulation;
    this.node = node;
    this.settings = settings;
    this.clock = clock;
    this.observer = observer;
    incarnation = node.incarnation();
    steps = simulation.draws("node.step");
    surroundings = new LifeSurroundings(newRandom("surroundings"), executors);
  }

  /** Nothing of it runs any more. */
  void end() {
    isOver = true;
  }

  void onPoolStarted(TransportPool pool) {
    List<TransportPool> more = new ArrayList<>(pools);
    more.add(pool);
    pools = List.copyOf(more);
    observer.onPoolStarted(this, pool);
  }

  /** The first id of the path whose packets bear this id; each renewal gives it another. */
  public long pathIdOf(long wireId) {
    long known = pathIds.get(wireId);
    if (known != NO_PATH) {
      return known;
    }
    for (int i = 0; i < pools.size(); i++) {
      long pathId = pools.get(i).pathIdOf(wireId);
      if (pathId != NO_PATH) {
        pathIds.put(wireId, pathId);
        return pathId;
      }
    }
    return wireId;
  }

  /** The transports that were started in this life until now, the closed ones included. */
  public List<TransportPool> pools() {
    return pools;
  }

  /** The node. */
  public SimNode node() {
    return node;
  }

  /** What its node takes for the time. */
  public NodeClock clock() {
    return clock;
  }

  /** Which life of the node it is, from 1. */
  public int incarnation() {
    return incarnation;
  }

  /** Whether it is over. */
  public boolean isOver() {
    return isOver;
  }

  /** What its code sees instead of the JDK's clock, chance and common pool. */
  public Surroundings surroundings() {
    return surroundings;
  }

  NodeSettings settings() {
    return settings;
  }

  NodeObserver observer() {
    return observer;
  }

  /** The run that it takes part in. */
  Simulation simulation() {
    return simulation;
  }

  /** A source of random numbers for one use; each use asks once. */
  DrawnRandom newRandom(String use) {
    return new DrawnRandom(simulation.draws("node.random." + use), entity(0));
  }

  /** What random decisions about this life's loop of that number are drawn for. */
  long entity(int loop) {
    return (long) node.number() << NODE_SHIFT | (long) incarnation << INCARNATION_SHIFT | loop;
  }

  /** How long a step takes. */
  long stepNs(long entity, long ordinal) {
    return steps.between(entity, ordinal, settings.leastStepNs(), settings.mostStepNs());
  }

  /** An exception that nobody caught. */
  void onEscaped(String where, Throwable failure) {
    simulation.fail("uncaught exception", node.name() + ", " + where + ": " + failure, failure);
  }

  private final class LifeSurroundings implements Surroundings {
    private final DrawnRandom random;
    private final Supplier<Executor> executors;

    private LifeSurroundings(DrawnRandom random, Supplier<Executor> executors) {
      this.random = random;
      this.executors = executors;
    }

    @Override
    public long nanoTime() {
      return clock.nowNs();
    }

    @Override
    public long currentTimeMillis() {
      return clock.wallMs();
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
      return executors.get();
    }

    @Override
    public void onRefused(NotSimulatedException refusal) {
      simulation.fail("not simulated", node.name() + ": " + refusal.getMessage(), refusal);
    }
  }
}
