package io.millrace.testkit.internal.node;

import io.millrace.engine.NodeEnvironment;
import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.core.Occupant;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.core.TraceKind;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.VirtualTime;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * The full view of a simulated node: the users' view, and the node's lives, clock and pauses.
 * Simulation thread only.
 */
public final class FullNode implements SimNode {
  private final Simulation simulation;
  private final int number;
  private final NodeSettings settings;
  private final BiFunction<NodeLife, VirtualTime, LifeNetwork> networks;
  private final NodeClock clock;
  private final NodeObservers observers;
  private @Nullable NodeProcess process;
  private int incarnations;
  private long pausedUntilNs;

  /**
   * Creates a node, which is down.
   *
   * @param number from 0; names the node and takes part in its random decisions
   * @param networks gives each life and its time a network
   */
  FullNode(
      Simulation simulation,
      int number,
      NodeSettings settings,
      BiFunction<NodeLife, VirtualTime, LifeNetwork> networks,
      NodeObservers observers) {
    this.observers = observers;
    this.simulation = simulation;
    this.number = number;
    this.settings = settings;
    this.networks = networks;
    clock = new NodeClock(simulation, settings.skewNs(), settings.driftPpm());
    simulation.onClose(this::end);
  }

  /** Returns the full view of a node that a program of this project was given. */
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

  /** The node's clock. */
  public NodeClock clock() {
    return clock;
  }

  @Override
  public boolean isUp() {
    return process != null;
  }

  @Override
  public int incarnation() {
    return incarnations;
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
   * @throws IllegalStateException if the node is up
   */
  public NodeLife boot(Behavior<?> guardian) {
    if (process != null) {
      throw new IllegalStateException(name() + " is up");
    }
    incarnations++;
    simulation.trace(TraceKind.BOOT, number, incarnations);
    NodeProcess begun = new NodeProcess(simulation, this, settings, clock, observers, networks);
    process = begun;
    begun.boot(guardian);
    return begun.life();
  }

  /**
   * Ends the present life at once, as the end of a lost process. Nothing happens when the node is
   * down.
   */
  public void crash() {
    if (process != null) {
      simulation.trace(TraceKind.CRASH, number, incarnations);
      end();
    }
  }

  /**
   * Ends the present life, in which the program has closed everything. Nothing happens when the
   * node is down; anything still open is lost as in a crash.
   */
  public void stop() {
    if (process != null) {
      simulation.trace(TraceKind.STOP, number, incarnations);
      end();
    }
  }

  /** Stands still for this long from now on, as in a long collection of garbage; arrivals wait. */
  public void pause(long durationNs) {
    pausedUntilNs = Math.max(pausedUntilNs, simulation.nowNs() + durationNs);
    simulation.trace(TraceKind.PAUSE, number, pausedUntilNs);
  }

  /**
   * The present life.
   *
   * @throws IllegalStateException if the node is down
   */
  public NodeLife life() {
    return process().life();
  }

  private NodeProcess process() {
    NodeProcess current = process;
    if (current == null) {
      throw new IllegalStateException(name() + " is down");
    }
    return current;
  }

  /** Returns the number of ciphers for packets that the present life made and did not close. */
  public int openPacketCiphers() {
    return process().openCiphers().openPacketCiphers();
  }

  /** Returns the number of ciphers for records that the present life made and did not close. */
  public int openRecordCiphers() {
    return process().openCiphers().openRecordCiphers();
  }

  @Override
  public NodeEnvironment environment() {
    return process();
  }

  @Override
  public void closeTransports() {
    life().pools().forEach(TransportPool::close);
  }

  @Override
  public ActorSystem<?> system() {
    return process().system();
  }

  @Override
  public <T> T call(Callable<T> code) throws Exception {
    SimThread thread = SimThread.current();
    Occupant before = thread.enter(process().occupant());
    try {
      return code.call();
    } finally {
      thread.enter(before);
    }
  }

  private void end() {
    NodeProcess ended = process;
    if (ended != null) {
      process = null;
      ended.end();
    }
  }
}
