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
 * A life of a node, from boot to crash, as all its parts and all observers know the life: its node,
 * its clock and random numbers, whether the life is over, and its transports. A life does not know
 * the parts that run inside ({@link NodeProcess}). Simulation thread only.
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

  /** Replaced when a transport starts, never changed: rules read this list at each packet. */
  private List<TransportPool> pools = List.of();

  /** First ids of paths by the id in packets; looked up only. */
  private final Long2LongHashMap pathIds = new Long2LongHashMap(NO_PATH);

  private boolean isOver;

  /**
   * Begins a life.
   *
   * @param observer told of the life's events
   * @param executors gives the executor in place of the JDK's common pool
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

  /** Ends the life: no part runs any more. */
  void end() {
    isOver = true;
  }

  void onPoolStarted(TransportPool pool) {
    List<TransportPool> more = new ArrayList<>(pools);
    more.add(pool);
    pools = List.copyOf(more);
    observer.onPoolStarted(this, pool);
  }

  /**
   * Returns the first id of the path whose packets bear this id; each renewal gives the path
   * another id.
   */
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

  /** The transports started in this life so far, including closed transports. */
  public List<TransportPool> pools() {
    return pools;
  }

  /** The node. */
  public SimNode node() {
    return node;
  }

  /** The clock of the node. */
  public NodeClock clock() {
    return clock;
  }

  /** Number of this life of the node, from 1. */
  public int incarnation() {
    return incarnation;
  }

  /** Whether this life is over. */
  public boolean isOver() {
    return isOver;
  }

  /** The replacement of the JDK's clock, random numbers and common pool for code of this life. */
  public Surroundings surroundings() {
    return surroundings;
  }

  NodeSettings settings() {
    return settings;
  }

  NodeObserver observer() {
    return observer;
  }

  /** The run of this life. */
  Simulation simulation() {
    return simulation;
  }

  /** A source of random numbers for one use; each use asks once. */
  DrawnRandom newRandom(String use) {
    return new DrawnRandom(simulation.draws("node.random." + use), entity(0));
  }

  /** Returns the entity for random decisions about a loop of this life. */
  long entity(int loop) {
    return (long) node.number() << NODE_SHIFT | (long) incarnation << INCARNATION_SHIFT | loop;
  }

  /** How long a step takes. */
  long stepNs(long entity, long ordinal) {
    return steps.between(entity, ordinal, settings.leastStepNs(), settings.mostStepNs());
  }

  /** Reports an uncaught exception. */
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
