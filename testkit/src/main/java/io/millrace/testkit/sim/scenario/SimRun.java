package io.millrace.testkit.sim.scenario;

import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.fabric.FabricSettings;
import io.millrace.testkit.sim.net.NetworkObserver;
import io.millrace.testkit.sim.net.NetworkSettings;
import io.millrace.testkit.sim.net.PcapngCapture;
import io.millrace.testkit.sim.node.NodeLife;
import io.millrace.testkit.sim.node.NodeSettings;
import io.millrace.testkit.sim.node.SimCluster;
import io.millrace.testkit.sim.node.SimNode;
import io.millrace.testkit.sim.oracle.Coverage;
import io.millrace.testkit.sim.oracle.Oracle;
import io.millrace.testkit.sim.oracle.Oracles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a scenario: a simulated cluster, what is planned for it, the record of what its
 * application did, and the rules that it must keep. Virtual time passes only in {@link #runUntil},
 * {@link #eventually} and {@link #quiesce}. Made by {@link SimRunner}; simulation thread only; ns.
 */
public final class SimRun {
  private static final long USUAL_DELAY_NS = 50_000;
  private static final long QUIET_WITHIN_NS = 600_000_000_000L;
  private static final int MOST_BUDGETS = 50;
  private static final long IDLE_LOOK_NS = 10_000_000;

  private final Simulation simulation;
  private final RunSettings settings;
  private final Plan plan;
  private final Swarm swarm;
  private final History history;
  private Oracles rules = Oracles.of(List.of());
  private final Coverage coverage = new Coverage();
  private final List<Program> programs = new ArrayList<>();
  private final BitSet stopping = new BitSet();
  private final List<IntConsumer> crashListeners = new ArrayList<>();
  private NetworkSettings network = NetworkSettings.clean(USUAL_DELAY_NS);
  private @Nullable FabricSettings fabric;
  private @Nullable SimCluster cluster;
  private @Nullable Faults faults;
  private long progress;

  SimRun(Simulation simulation, RunSettings settings) {
    this.simulation = simulation;
    this.settings = settings;
    plan = new Plan(simulation, settings.keep());
    swarm = new Swarm(simulation, settings.keep());
    history = new History((rule, detail) -> simulation.fail(rule, detail, null));
    simulation.afterEach(() -> rules.onStep());
  }

  /** The seed. */
  public long seed() {
    return simulation.seed();
  }

  /** Time and events. */
  public Simulation simulation() {
    return simulation;
  }

  /** What this seed has of everything that may vary. */
  public Swarm swarm() {
    return swarm;
  }

  /** What the application did and was told. */
  public History history() {
    return history;
  }

  /** How the network is, to be said before any node is added; clean with 50 us if it is not. */
  public void network(NetworkSettings other) {
    requireNoNodes();
    network = other;
  }

  /**
   * How the fabric is over which the workers of all nodes send, to be said before any node is
   * added; they send datagrams if it is not.
   */
  public void fabric(FabricSettings settings) {
    requireNoNodes();
    fabric = settings;
  }

  private void requireNoNodes() {
    if (cluster != null) {
      throw new IllegalStateException("there are nodes already");
    }
  }

  /** The nodes and the network between them. */
  public SimCluster cluster() {
    SimCluster known = cluster;
    if (known == null) {
      known = new SimCluster(simulation, network, fabric);
      known.network().faults(settings.keep().packetFilter());
      add(Oracles.standard(known, coverage));
      cluster = known;
      if (settings.capture() != null) {
        capture(known, settings.capture());
      }
      if (settings.last() != null) {
        show(known, settings.last());
      }
    }
    return known;
  }

  private void capture(SimCluster captured, Path file) {
    try {
      PcapngCapture capture =
          new PcapngCapture(new BufferedOutputStream(Files.newOutputStream(file)));
      show(captured, capture);
      simulation.onClose(capture::close);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void show(SimCluster shown, NetworkObserver observer) {
    shown.noteFrames();
    shown.network().observe(observer);
    if (shown.hasFabric()) {
      shown.fabric().observe(observer);
    }
  }

  /** A node. */
  public SimNode node(int number) {
    return cluster().node(number);
  }

  /** How many nodes there are. */
  public int nodes() {
    return programs.size();
  }

  /**
   * Adds a node and starts it.
   *
   * @param program what it runs in this life and all later ones
   */
  public SimNode add(NodeSettings node, Program program) {
    SimNode added = cluster().add(node);
    programs.add(program);
    boot(added.number());
    return added;
  }

  /** Adds so many usual nodes that run the same program, and starts them. */
  public void add(int count, Program program) {
    for (int i = 0; i < count; i++) {
      add(NodeSettings.DEFAULT, program);
    }
  }

  /** Begins a node's next life; nothing happens when it is up. */
  public void boot(int number) {
    SimNode node = node(number);
    if (node.isUp()) {
      return;
    }
    NodeLife life = node.boot();
    try {
      node.call(
          () -> {
            programs.get(number).start(node);
            return true;
          });
    } catch (Exception e) {
      if (!life.isOver()) {
        simulation.fail("start", node.name() + " does not start: " + e, e);
      }
    }
  }

  /** Ends a node's life at once; nothing happens when it is down. */
  public void crash(int number) {
    if (node(number).isUp()) {
      node(number).crash();
      history.onCrash(number);
      crashListeners.forEach(listener -> listener.accept(number));
    }
  }

  /**
   * Ends a node's life in order: its program closes everything, whoever waits for something that it
   * asked for is told, and nothing may be left. Nothing happens when it is down or stops already.
   */
  public void stop(int number) {
    if (node(number).isUp() && !stopping.get(number)) {
      stopping.set(number);
      try {
        new GracefulStop(this, node(number), programs.get(number)).run();
      } finally {
        stopping.clear(number);
      }
    }
  }

  /** What a node that was stopped still has, for people; null if nothing is. */
  @Nullable String remains(NodeLife life) {
    return rules.remains(life);
  }

  /** Calls {@code listener} with the number of each node whose life ends at once. */
  public void onCrash(IntConsumer listener) {
    crashListeners.add(listener);
  }

  /** Plans faults. */
  public Faults faults() {
    Faults known = faults;
    if (known == null) {
      known = new Faults(this, plan);
      faults = known;
    }
    return known;
  }

  /**
   * Plans a step of the workload. Steps are numbered in the order of planning and may be left out
   * when a run is made smaller, so none may rely on another.
   *
   * @param words what it does, for people
   */
  public void at(long timeNs, String words, Runnable step) {
    plan.step(timeNs, words, step);
  }

  /**
   * Plans a step of the workload that a node takes: it sees the node's clock and random numbers,
   * waits while the node stands still, and is dropped if the node is down then or its life ends
   * meanwhile.
   *
   * @param timeNs when, virtual time
   * @param words what it does, for people
   */
  public void at(long timeNs, int node, String words, Runnable step) {
    plan.step(timeNs, words, new NodeStep(this, node, step));
  }

  /** How many steps of nodes were dropped so far, since their node was down. */
  public int droppedSteps() {
    return plan.dropped();
  }

  /**
   * A test of many seeds fails if none of its runs reaches this: then it tests less than it says.
   * To be said in each run, before any {@link #reached}.
   */
  public void mustReach(String... what) {
    for (String each : what) {
      coverage.probes().mustReach(each);
    }
  }

  /**
   * What {@link #mustReach} named has happened in this run.
   *
   * @throws IllegalArgumentException if it was not named
   */
  public void reached(String what) {
    coverage.probes().reached(what);
  }

  /** Adds a rule to keep. */
  public void add(Oracle oracle) {
    rules = rules.and(oracle);
  }

  /** Something got done: whoever waits in {@link #eventually} is given the whole time again. */
  public void onProgress() {
    progress++;
  }

  /** Breaks a rule. */
  public void fail(String rule, String detail) {
    simulation.fail(rule, detail, null);
  }

  /** Lets everything happen until this time. */
  public void runUntil(long timeNs) {
    run(() -> false, timeNs);
  }

  private boolean run(BooleanSupplier isDone, long untilNs) {
    return simulation.runUntil(isDone, untilNs);
  }

  /** Ends all faults, of the network too, and starts the nodes that are down. */
  public void heal() {
    heal(node -> false);
  }

  /**
   * Ends all faults, of the network too, and starts the nodes that are down, except for those that
   * stay lost: these stay down, or are cut off from all others if they are up, until {@link
   * #recover}.
   */
  public void heal(IntPredicate staysLost) {
    faults().heal();
    cluster().network().faults((link, ordinal, kind) -> false);
    cluster().network().healAll();
    for (int i = 0; i < programs.size(); i++) {
      if (!staysLost.test(i)) {
        boot(i);
      } else {
        faults().onLost(i);
      }
    }
    rules.onHealed();
  }

  /** The nodes that stayed lost come back. */
  public void recover() {
    faults().onRecovered();
    cluster().network().healAll();
    for (int i = 0; i < programs.size(); i++) {
      boot(i);
    }
  }

  /**
   * Lets time pass until something is so. The time begins again whenever there is progress:
   * something is sent, executed or resolved, or {@link #onProgress} is called.
   *
   * @param withinNs how long without progress, at most
   * @param what for people
   * @throws io.millrace.testkit.sim.core.SimViolation "liveness", if it does not become so
   */
  public void eventually(long withinNs, String what, BooleanSupplier condition) {
    long ceilingNs = simulation.nowNs() + MOST_BUDGETS * withinNs;
    boolean hasTime = true;
    while (hasTime) {
      long seen = seen();
      long untilNs = Math.min(ceilingNs, simulation.nowNs() + withinNs);
      hasTime = run(() -> condition.getAsBoolean() || seen() != seen, untilNs);
      if (condition.getAsBoolean()) {
        return;
      }
    }
    fail(
        "liveness",
        "not within " + withinNs + " ns without progress: " + what + "; " + history.openWords());
    simulation.check();
  }

  /**
   * Lets time pass until something is so.
   *
   * @param withinNs how long, at most
   * @throws io.millrace.testkit.sim.core.SimViolation "liveness", if it does not become so
   */
  public void within(long withinNs, String what, BooleanSupplier condition) {
    if (!run(condition, simulation.nowNs() + withinNs)) {
      fail("liveness", "not within " + withinNs + " ns: " + what);
      simulation.check();
    }
  }

  /**
   * Lets time pass until nothing is left of calls, bodies and streams that have ended; for when the
   * application waits for nothing and its transports are still open.
   *
   * @param withinNs how long, at most
   * @throws io.millrace.testkit.sim.core.SimViolation "nothing left of calls", if something stays
   */
  public void awaitIdle(long withinNs) {
    awaitNone("nothing left of calls", withinNs, rules::unfinished);
  }

  /**
   * Lets time pass until the transports, which were closed, have no actor left, and the application
   * no stream; before the actor systems are ended, with which all would go.
   *
   * @param withinNs how long, at most
   * @throws io.millrace.testkit.sim.core.SimViolation "nothing left of transports", if one stays
   */
  public void awaitClosed(long withinNs) {
    awaitNone("nothing left of transports", withinNs, rules::unclosed);
  }

  void awaitNone(String rule, long withinNs, Supplier<@Nullable String> question) {
    long endNs = simulation.nowNs() + withinNs;
    String left = question.get();
    while (left != null && simulation.nowNs() < endNs) {
      run(() -> false, Math.min(endNs, simulation.nowNs() + IDLE_LOOK_NS));
      left = question.get();
    }
    if (left != null) {
      fail(rule, "after " + withinNs + " ns " + left);
      simulation.check();
    }
  }

  private long seen() {
    return progress + history.sent() + history.executed() + history.resolved();
  }

  /**
   * Lets everything happen that is still to happen, once the application has closed everything, and
   * asks all oracles whether nothing is left.
   */
  public void quiesce() {
    if (!run(() -> simulation.pendingEvents() == 0, simulation.nowNs() + QUIET_WITHIN_NS)) {
      fail("quiescence", simulation.pendingEvents() + " events are still to happen");
    }
    rules.onQuiescent();
    simulation.check();
  }

  Plan plan() {
    return plan;
  }

  /** Which rare things happened; rules of a scenario add theirs. */
  public Coverage coverage() {
    return coverage;
  }

  /** What was planned and happened. */
  List<PlannedEvent> happened() {
    return plan.happened();
  }

  @Nullable SimCluster clusterIfAny() {
    return cluster;
  }

  List<PlannedEvent> unmetFaults() {
    return faults == null ? List.of() : faults.unmet();
  }

  long firedFaults() {
    return faults == null ? 0 : faults.fired();
  }
}
