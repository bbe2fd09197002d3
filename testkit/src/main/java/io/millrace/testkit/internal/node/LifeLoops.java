package io.millrace.testkit.internal.node;

import com.typesafe.config.Config;
import io.millrace.loop.EventLoop;
import io.millrace.testkit.internal.core.Occupant;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.patch.Surroundings;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import scala.Function0;

/**
 * The virtual processors of a life of a node, on which the life's dispatchers run. This object
 * occupies the simulation thread while code of the life runs outside of the loops' turns.
 * Simulation thread only.
 */
final class LifeLoops implements SimLoop.Host {
  private static final String INTERNAL_DISPATCHER = "pekko.actor.internal-dispatcher";

  private final NodeLife life;
  private final Simulation simulation;
  private final Draws order;
  private final VirtualTime time;
  private final List<SimLoop> loops = new ArrayList<>();

  /** The loops of workers, which may have work without a wake-up. */
  private final List<WorkerLoop> workers = new ArrayList<>();

  private boolean isBooting;

  LifeLoops(NodeLife life) {
    this.life = life;
    simulation = life.simulation();
    order = simulation.order("node.order");
    time = new LifeTime(simulation.newTime("node.life", life.entity(0)));
  }

  /** Returns the loops of the booting life. */
  static LifeLoops booting() {
    if (SimThread.current().occupant() instanceof LifeLoops loops) {
      return loops;
    }
    throw new IllegalStateException("no simulated node boots at this moment");
  }

  /** Returns the life whose code runs now. */
  static NodeLife current() {
    Occupant running = SimThread.current().occupant();
    if (running instanceof LifeLoops loops) {
      return loops.life;
    }
    if (running instanceof SimLoop loop) {
      return loop.life();
    }
    throw new IllegalStateException("no simulated node runs at this moment");
  }

  NodeLife life() {
    return life;
  }

  /**
   * The node's own time: the reading of its monotonic clock, and events at times of this clock.
   * Events wait while the node stands still and do not happen after the end of this life.
   */
  VirtualTime time() {
    return time;
  }

  /** Starts the life's actor system; the start may wait for the system's own actors. */
  <T> T boot(Supplier<T> start) {
    SimThread thread = SimThread.current();
    Occupant before = thread.enter(this);
    isBooting = true;
    try {
      return start.get();
    } finally {
      isBooting = false;
      thread.enter(before);
    }
  }

  /** Drops all waiting tasks. */
  void clear() {
    loops.forEach(SimLoop::clear);
  }

  /** Returns the pool of this name, made at the first call. */
  PoolLoop pool(String id) {
    for (SimLoop loop : loops) {
      if (loop instanceof PoolLoop pool && pool.id().equals(id)) {
        return pool;
      }
    }
    PoolLoop pool = new PoolLoop(life, this, id, loops.size(), order);
    loops.add(pool);
    return pool;
  }

  /** Creates a loop for the worker's dispatcher of this block. */
  WorkerLoop worker(Config block) {
    WorkerLoop worker = new WorkerLoop(life, this, loops.size(), block);
    loops.add(worker);
    workers.add(worker);
    return worker;
  }

  @Override
  public void onTurn(SimLoop turned) {
    for (int i = 0; i < workers.size(); i++) {
      WorkerLoop loop = workers.get(i);
      if (loop != turned && loop.hasUnseenWork()) {
        loop.wake();
      }
    }
  }

  /**
   * Lets the simulation go on until {@code isDone}; the node's code waits here. Ends at once when
   * this life does: no code is left to wait.
   */
  boolean runUntil(BooleanSupplier isDone, long timeoutNs) {
    if (SimThread.current().occupant() instanceof WorkerLoop loop) {
      throw refusal("on " + loop.id());
    }
    simulation.runUntil(
        () -> life.isOver() || isDone.getAsBoolean(), simulation.nowNs() + timeoutNs);
    return isDone.getAsBoolean();
  }

  @Override
  public @Nullable EventLoop eventLoop() {
    return null;
  }

  @Override
  public Surroundings surroundings() {
    return life.surroundings();
  }

  @Override
  public <T> T blockOn(Function0<T> thunk) {
    return blockOn(thunk, "in its start");
  }

  /** An actor system's start waits for its own actors; no other code may block. */
  @Override
  public <T> T blockOn(Function0<T> thunk, String where) {
    if (!isBooting) {
      throw refusal(where);
    }
    pool(INTERNAL_DISPATCHER).pump();
    return thunk.apply();
  }

  private IllegalStateException refusal(String where) {
    IllegalStateException refusal =
        new IllegalStateException("blocking call inside a simulated node, " + where);
    simulation.fail("blocking call", life.node().name() + ", " + where, refusal);
    return refusal;
  }

  /** Time of this life; its events happen in the name of the life. */
  private final class LifeTime implements VirtualTime {
    private final VirtualTime actual;

    private LifeTime(VirtualTime actual) {
      this.actual = actual;
    }

    @Override
    public long nowNs() {
      return life.clock().nowNs();
    }

    @Override
    public void at(long timeNs, Runnable event) {
      actual.at(life.clock().virtualNs(timeNs), () -> happen(event));
    }

    private void happen(Runnable event) {
      if (life.isOver()) {
        return;
      }
      long pausedUntilNs = life.node().pausedUntilNs();
      if (actual.nowNs() < pausedUntilNs) {
        actual.at(pausedUntilNs, () -> happen(event));
        return;
      }
      SimThread thread = SimThread.current();
      Occupant before = thread.enter(LifeLoops.this);
      try {
        event.run();
      } finally {
        thread.enter(before);
      }
    }
  }
}
