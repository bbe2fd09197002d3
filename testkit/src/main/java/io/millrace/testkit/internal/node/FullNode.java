package io.millrace.testkit.internal.node;

import io.millrace.engine.NodeEnvironment;
import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.core.Occupant;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.core.TraceKind;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimNode;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * All of a simulated node: what users see of it, and its lives, its clock and how it stands still.
 * Simulation thread only.
 */
public final class FullNode implements SimNode {
  private final Simulation simulation;
  private final int number;
  private final NodeSettings settings;
  private final Function<NodeLife, NodeNetwork> networks;
  private final NodeClock clock;
  private final NodeObservers observers;
  private @Nullable NodeLife life;
  private int incarnations;
  private long pausedUntilNs;

  /**
   * A node that is down.
   *
   * @param number from 0; names the node and takes part in its random decisions
   * @param networks gives each life its network
   */
  public FullNode(
      Simulation simulation,
      int number,
      NodeSettings settings,
      Function<NodeLife, NodeNetwork> networks) {
    this(simulation, number, settings, networks, new NodeObservers());
  }

  FullNode(
      Simulation simulation,
      int number,
      NodeSettings settings,
      Function<NodeLife, NodeNetwork> networks,
      NodeObservers observers) {
    this.observers = observers;
    this.simulation = simulation;
    this.number = number;
    this.settings = settings;
    this.networks = networks;
    clock = new NodeClock(simulation, settings.skewNs(), settings.driftPpm());
    simulation.onClose(this::end);
  }

  /** The run that it takes part in. */
  public Simulation simulation() {
    return simulation;
  }

  /** All of a node that a program of this project was given. */
  public static FullNode of(SimNode node) {
    return (FullNode) node;
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public String name() {
    return "n" + number;
  }

  /** How it behaves. */
  public NodeSettings settings() {
    return settings;
  }

  /** What it takes for the time. */
  public NodeClock clock() {
    return clock;
  }

  @Override
  public boolean isUp() {
    return life != null;
  }

  @Override
  public int incarnation() {
    return incarnations;
  }

  /** Who watches it. */
  NodeObservers observers() {
    return observers;
  }

  @Override
  public long pausedUntilNs() {
    return pausedUntilNs;
  }

  /** Begins a life with an empty actor system. */
  public NodeLife boot() {
    return boot(Behaviors.empty());
  }

  /**
   * Begins a life whose actor system has this guardian.
   *
   * @throws IllegalStateException if it is up
   */
  public NodeLife boot(Behavior<?> guardian) {
    if (life != null) {
      throw new IllegalStateException(name() + " is up");
    }
    incarnations++;
    simulation.trace(TraceKind.BOOT, number, incarnations);
    NodeLife begun = new NodeLife(this, incarnations, networks);
    life = begun;
    begun.boot(guardian);
    return begun;
  }

  /** Ends its life at once, as a lost process does. Nothing happens when it is down. */
  public void crash() {
    if (life != null) {
      simulation.trace(TraceKind.CRASH, number, incarnations);
      end();
    }
  }

  /**
   * Ends its life, in which its program has closed everything. Nothing happens when it is down;
   * what was not closed is lost as in a crash.
   */
  public void stop() {
    if (life != null) {
      simulation.trace(TraceKind.STOP, number, incarnations);
      end();
    }
  }

  /** Stands still for so long from now on, as in a long collection of garbage; arrivals wait. */
  public void pause(long durationNs) {
    pausedUntilNs = Math.max(pausedUntilNs, simulation.nowNs() + durationNs);
    simulation.trace(TraceKind.PAUSE, number, pausedUntilNs);
  }

  /**
   * The present life.
   *
   * @throws IllegalStateException if it is down
   */
  public NodeLife life() {
    NodeLife current = life;
    if (current == null) {
      throw new IllegalStateException(name() + " is down");
    }
    return current;
  }

  @Override
  public NodeEnvironment environment() {
    return life().environment();
  }

  @Override
  public void closeTransports() {
    life().pools().forEach(TransportPool::close);
  }

  @Override
  public ActorSystem<?> system() {
    return life().system();
  }

  @Override
  public <T> T call(Callable<T> code) throws Exception {
    SimThread thread = SimThread.current();
    Occupant before = thread.enter(life());
    try {
      return code.call();
    } finally {
      thread.enter(before);
    }
  }

  private void end() {
    NodeLife ended = life;
    if (ended != null) {
      life = null;
      ended.end();
    }
  }
}
