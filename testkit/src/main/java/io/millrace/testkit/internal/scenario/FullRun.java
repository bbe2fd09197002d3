package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.NetworkObserver;
import io.millrace.testkit.internal.net.PcapngCapture;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.oracle.Coverage;
import io.millrace.testkit.internal.oracle.Oracles;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.History;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.Oracle;
import io.millrace.testkit.sim.Program;
import io.millrace.testkit.sim.SimRun;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The full view of a run: the users' view, and the additions for the simulator and the scenarios of
 * this project. Made by {@link SimRunner}; simulation thread only; ns.
 */
public final class FullRun implements SimRun {
  private static final long USUAL_DELAY_NS = 50_000;
  private static final long QUIET_WITHIN_NS = 600_000_000_000L;
  private static final int MOST_BUDGETS = 50;
  private static final long IDLE_LOOK_NS = 10_000_000;

  private final Simulation simulation;
  private final RunSettings settings;
  private final Plan plan;
  private final FullSwarm swarm;
  private final History history;
  private Oracles rules = Oracles.of(List.of());
  private final Coverage coverage = new Coverage();
  private final List<Program> programs = new ArrayList<>();
  private final BitSet stopping = new BitSet();
  private final List<IntConsumer> crashListeners = new ArrayList<>();
  private NetworkSettings network = NetworkSettings.clean(USUAL_DELAY_NS);
  private @Nullable FabricSettings fabric;
  private final List<String> furtherFabrics = new ArrayList<>();
  private @Nullable FullCluster cluster;
  private @Nullable PlannedFaults faults;
  private long progress;

  FullRun(Simulation simulation, RunSettings settings) {
    this.simulation = simulation;
    this.settings = settings;
    plan = new Plan(simulation, settings.keep());
    swarm = new FullSwarm(simulation, settings.keep(), coverage.drawn());
    history = new History((rule, detail) -> simulation.fail(rule, detail, null));
    simulation.afterEach(() -> rules.onStep());
  }

  /** Returns the full view of a run that a scenario of this project was given. */
  public static FullRun of(SimRun run) {
    return (FullRun) run;
  }

  @Override
  public long seed() {
    return simulation.seed();
  }

  @Override
  public Simulation simulation() {
    return simulation;
  }

  @Override
  public FullSwarm swarm() {
    return swarm;
  }

  @Override
  public History history() {
    return history;
  }

  @Override
  public void network(NetworkSettings other) {
    requireNoNodes();
    network = other;
  }

  @Override
  public void fabric(FabricSettings settings) {
    requireNoNodes();
    fabric = settings;
  }

  /** Adds a fabric of the same settings, for nodes whose settings name the family as a driver. */
  public void furtherFabric(String family) {
    requireNoNodes();
    furtherFabrics.add(family);
  }

  private void requireNoNodes() {
    if (cluster != null) {
      throw new IllegalStateException("there are nodes already");
    }
  }

  @Override
  public FullCluster cluster() {
    FullCluster known = cluster;
    if (known == null) {
      known = new FullCluster(simulation, network, fabric);
      for (String family : furtherFabrics) {
        known.addFabric(family, Objects.requireNonNull(fabric, "the first fabric"));
      }
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

  private void capture(FullCluster captured, Path file) {
    try {
      PcapngCapture capture =
          new PcapngCapture(new BufferedOutputStream(Files.newOutputStream(file)));
      show(captured, capture);
      simulation.onClose(capture::close);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void show(FullCluster shown, NetworkObserver observer) {
    shown.noteFrames();
    shown.network().observe(observer);
    shown.fabrics().forEach(fabric -> fabric.observe(observer));
  }

  @Override
  public FullNode node(int number) {
    return cluster().node(number);
  }

  @Override
  public int nodes() {
    return programs.size();
  }

  @Override
  public FullNode add(NodeSettings node, Program program) {
    FullNode added = cluster().add(node);
    programs.add(program);
    boot(added.number());
    return added;
  }

  @Override
  public void add(int count, Program program) {
    for (int i = 0; i < count; i++) {
      add(NodeSettings.DEFAULT, program);
    }
  }

  @Override
  public void boot(int number) {
    FullNode node = node(number);
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

  @Override
  public void crash(int number) {
    if (node(number).isUp()) {
      node(number).crash();
      history.onCrash(number);
      crashListeners.forEach(listener -> listener.accept(number));
    }
  }

  @Override
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

  /** Returns the remains of a stopped node, for people; null without remains. */
  @Nullable String remains(NodeLife life) {
    return rules.remains(life);
  }

  @Override
  public void onCrash(IntConsumer listener) {
    crashListeners.add(listener);
  }

  @Override
  public PlannedFaults faults() {
    PlannedFaults known = faults;
    if (known == null) {
      known = new PlannedFaults(this, plan);
      faults = known;
    }
    return known;
  }

  @Override
  public void at(long timeNs, String words, Runnable step) {
    plan.step(timeNs, words, step);
  }

  @Override
  public void at(long timeNs, int node, String words, Runnable step) {
    plan.step(timeNs, words, new NodeStep(this, node, step));
  }

  @Override
  public int droppedSteps() {
    return plan.dropped();
  }

  @Override
  public void mustReach(String... what) {
    for (String each : what) {
      coverage.probes().mustReach(each);
    }
  }

  @Override
  public void reached(String what) {
    coverage.probes().reached(what);
  }

  @Override
  public void add(Oracle oracle) {
    rules = rules.and(oracle);
  }

  @Override
  public void addStrictRules() {
    add(Oracles.ofOwnWorkloads(cluster()));
  }

  @Override
  public void onProgress() {
    progress++;
  }

  @Override
  public void fail(String rule, String detail) {
    simulation.fail(rule, detail, null);
  }

  @Override
  public void fail(String rule, String detail, Throwable cause) {
    simulation.fail(rule, detail, cause);
  }

  @Override
  public void runUntil(long timeNs) {
    run(() -> false, timeNs);
  }

  private boolean run(BooleanSupplier isDone, long untilNs) {
    return simulation.runUntil(isDone, untilNs);
  }

  @Override
  public void heal() {
    heal(node -> false);
  }

  @Override
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

  @Override
  public void recover() {
    faults().onRecovered();
    cluster().network().healAll();
    for (int i = 0; i < programs.size(); i++) {
      boot(i);
    }
  }

  @Override
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

  @Override
  public void within(long withinNs, String what, BooleanSupplier condition) {
    if (!run(condition, simulation.nowNs() + withinNs)) {
      fail("liveness", "not within " + withinNs + " ns: " + what);
      simulation.check();
    }
  }

  @Override
  public void awaitIdle(long withinNs) {
    awaitNone("nothing left of calls", withinNs, rules::unfinished);
  }

  @Override
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

  @Override
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

  /** Returns the rare events of the run; rules of a scenario add events of their own. */
  public Coverage coverage() {
    return coverage;
  }

  /** Returns the planned events that happened. */
  List<PlannedEvent> happened() {
    return plan.happened();
  }

  @Nullable FullCluster clusterIfAny() {
    return cluster;
  }

  List<PlannedEvent> unmetFaults() {
    return faults == null ? List.of() : faults.unmet();
  }

  long firedFaults() {
    return faults == null ? 0 : faults.fired();
  }
}
