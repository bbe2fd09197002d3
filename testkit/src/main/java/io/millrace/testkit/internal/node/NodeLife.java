package io.millrace.testkit.internal.node;

import com.typesafe.config.Config;
import io.millrace.engine.NodeEnvironment;
import io.millrace.engine.TransportPool;
import io.millrace.loop.EventLoop;
import io.millrace.testkit.internal.core.DrawnRandom;
import io.millrace.testkit.internal.core.Occupant;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.core.TraceKind;
import io.millrace.testkit.internal.patch.Surroundings;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.agrona.collections.Long2LongHashMap;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.jspecify.annotations.Nullable;
import scala.Function0;

/**
 * One life of a node, from boot to crash: an actor system of its own, the loops that its
 * dispatchers run on, and what it opened. When it is over nothing of it runs any more, and whoever
 * still calls it is not heard. Simulation thread only.
 */
public final class NodeLife implements Occupant {
  private static final String INTERNAL_DISPATCHER = "pekko.actor.internal-dispatcher";
  private static final int INCARNATION_SHIFT = 16;
  private static final int NODE_SHIFT = 40;
  private static final long NO_PATH = 0;

  private final FullNode node;
  private final Simulation simulation;
  private final int incarnation;
  private final NodeNetwork network;
  private final Draws steps;
  private final Draws order;
  private final List<SimLoop> loops = new ArrayList<>();

  /** Of those, the loops that may have work that nobody woke them for. */
  private final List<WorkerLoop> workers = new ArrayList<>();

  /** Replaced when a transport starts, never changed: rules ask for it at each packet. */
  private List<TransportPool> pools = List.of();

  /** By the id that packets bear; looked up only. */
  private final Long2LongHashMap pathIds = new Long2LongHashMap(NO_PATH);

  private final Surroundings surroundings;
  private final VirtualTime time;
  private final LifeCiphers ciphers;
  private final NodeEnvironment environment = new SimEnvironment(this);
  private @Nullable ActorSystem<?> system;
  private boolean isBooting;
  private boolean isOver;

  NodeLife(FullNode node, int incarnation, Function<NodeLife, NodeNetwork> networks) {
    this.node = node;
    this.simulation = node.simulation();
    this.incarnation = incarnation;
    steps = simulation.draws("node.step");
    order = simulation.order("node.order");
    surroundings = new LifeSurroundings(this);
    time = new LifeTime(this);
    ciphers = new LifeCiphers(this, node.observers());
    network = networks.apply(this);
  }

  /** The life whose code runs now. */
  static NodeLife current() {
    Occupant running = SimThread.current().occupant();
    if (running instanceof NodeLife life) {
      return life;
    }
    if (running instanceof SimLoop loop) {
      return loop.life();
    }
    throw new IllegalStateException("no simulated node runs at this moment");
  }

  static NodeLife of(DispatcherPrerequisites prerequisites) {
    return ((SimScheduler) prerequisites.scheduler()).life();
  }

  /** Starts the actor system. */
  void boot(Behavior<?> guardian) {
    SimThread thread = SimThread.current();
    Occupant before = thread.enter(this);
    isBooting = true;
    try {
      system =
          ActorSystem.create(
              guardian,
              node.name(),
              ActorSystemSetup.create(
                  BootstrapSetup.create(
                      Optional.of(NodeConfig.loader()),
                      Optional.of(NodeConfig.of(node.settings())),
                      Optional.empty())));
    } finally {
      isBooting = false;
      thread.enter(before);
    }
  }

  /** Ends everything at once; nothing is told. */
  void end() {
    isOver = true;
    loops.forEach(SimLoop::clear);
    network.onEnd();
    ciphers.close();
    node.observers().onLifeEnded(this);
  }

  void onPoolStarted(TransportPool pool) {
    List<TransportPool> more = new ArrayList<>(pools);
    more.add(pool);
    pools = List.copyOf(more);
    node.observers().onPoolStarted(this, pool);
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

  /** Ciphers for packets that were made and not closed. */
  public int openPacketCiphers() {
    return ciphers.openPacketCiphers();
  }

  /** Ciphers for records that were made and not closed. */
  public int openRecordCiphers() {
    return ciphers.openRecordCiphers();
  }

  /** The node. */
  public FullNode node() {
    return node;
  }

  /** Which life of the node it is, from 1. */
  public int incarnation() {
    return incarnation;
  }

  /** Whether it is over. */
  public boolean isOver() {
    return isOver;
  }

  /** What transports of this life are started with. */
  public NodeEnvironment environment() {
    return environment;
  }

  /**
   * The node's own time: what its monotonic clock shows, and events at times of that clock, which
   * wait while the node stands still and do not happen when this life is over.
   */
  public VirtualTime time() {
    return time;
  }

  /**
   * A source of random numbers for this life.
   *
   * @param use what it is for; each use asks once
   */
  public DrawnRandom newRandom(String use) {
    return new DrawnRandom(simulation.draws("node.random." + use), entity(0));
  }

  /** The actor system. */
  public ActorSystem<?> system() {
    ActorSystem<?> running = system;
    if (running == null) {
      throw new IllegalStateException(node.name() + " is still booting");
    }
    return running;
  }

  /** The run that it takes part in. */
  public Simulation simulation() {
    return simulation;
  }

  LifeCiphers ciphers() {
    return ciphers;
  }

  NodeNetwork network() {
    return network;
  }

  /** The pool of this name, made when it is first asked for. */
  PoolLoop pool(String id) {
    for (SimLoop loop : loops) {
      if (loop instanceof PoolLoop pool && pool.id().equals(id)) {
        return pool;
      }
    }
    PoolLoop pool = new PoolLoop(this, id, loops.size());
    loops.add(pool);
    return pool;
  }

  /** A new loop for the worker's dispatcher of this block. */
  WorkerLoop worker(Config block) {
    WorkerLoop worker = new WorkerLoop(this, block.getString("id"), loops.size(), block);
    loops.add(worker);
    workers.add(worker);
    return worker;
  }

  /** What random decisions about this life's loop of that number are drawn for. */
  long entity(int loop) {
    return (long) node.number() << NODE_SHIFT | (long) incarnation << INCARNATION_SHIFT | loop;
  }

  Draws orderDraws() {
    return order;
  }

  /** How long a step takes. */
  long stepNs(long entity, long ordinal) {
    NodeSettings settings = node.settings();
    return steps.between(entity, ordinal, settings.leastStepNs(), settings.mostStepNs());
  }

  /** A loop took a turn: another that polls busily would see what it left. */
  void onTurn(SimLoop turned) {
    for (int i = 0; i < workers.size(); i++) {
      WorkerLoop loop = workers.get(i);
      if (loop != turned && loop.hasUnseenWork()) {
        loop.wake();
      }
    }
  }

  void onTimer(long ordinal) {
    simulation.trace(TraceKind.TIMER, entity(0), ordinal);
  }

  /** An exception that nobody caught. */
  void onEscaped(String where, Throwable failure) {
    simulation.fail("uncaught exception", node.name() + ", " + where + ": " + failure, failure);
  }

  /**
   * Lets others go on until {@code isDone}; the node's code waits here. Ends at once when this life
   * does: nobody is there any more to wait.
   */
  boolean runUntil(BooleanSupplier isDone, long timeoutNs) {
    if (SimThread.current().occupant() instanceof WorkerLoop loop) {
      throw refusal("on " + loop.id());
    }
    simulation.runUntil(() -> isOver || isDone.getAsBoolean(), simulation.nowNs() + timeoutNs);
    return isDone.getAsBoolean();
  }

  @Override
  public @Nullable EventLoop eventLoop() {
    return null;
  }

  @Override
  public Surroundings surroundings() {
    return surroundings;
  }

  @Override
  public <T> T blockOn(Function0<T> thunk) {
    return blockOn(thunk, "in its start");
  }

  /** An actor system's start waits for its own actors; anything else may not block. */
  <T> T blockOn(Function0<T> thunk, String where) {
    if (!isBooting) {
      throw refusal(where);
    }
    pool(INTERNAL_DISPATCHER).pump();
    return thunk.apply();
  }

  private IllegalStateException refusal(String where) {
    IllegalStateException refusal =
        new IllegalStateException("blocking call inside a simulated node, " + where);
    simulation.fail("blocking call", node.name() + ", " + where, refusal);
    return refusal;
  }
}
