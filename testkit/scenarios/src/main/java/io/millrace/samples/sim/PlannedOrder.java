package io.millrace.samples.sim;

import io.millrace.api.TransferOptions;
import io.millrace.engine.TransportPool;
import io.millrace.samples.sim.PlannedCall.Kind;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.SimRun;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.DependencyKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Draws calls that wait for earlier calls of the same life. Checks that no call is executed before
 * the answers to the calls awaited, that no failure is made up, and that no slot is left.
 */
final class PlannedOrder {
  private static final int PPM = 1_000_000;
  private static final int RECENT = 8;
  private static final int MOST = 4;
  private static final String RULE = "causality";

  private final SimRun run;
  private final Draws draws;
  private final int ppm;
  private final Map<Long, Entry> entries = new HashMap<>();
  private final Map<SimulatedServer, List<Entry>> recent = new HashMap<>();

  private record Dependency(Entry on, DependencyKind kind) {}

  /** A call with a token. */
  private static final class Entry {
    private final PlannedCall call;
    private final List<Dependency> dependencies = new ArrayList<>();
    private @Nullable CausalityToken token;
    private @Nullable CallOutcome outcome;
    private boolean isAnswered;
    private boolean isAnsweredWell;

    /** A call that waits for this call and ran first: this call must have failed. */
    private @Nullable PlannedCall overtaking;

    private Entry(PlannedCall call) {
      this.call = call;
    }

    private boolean isBulk() {
      return call.kind() == Kind.READ;
    }

    private boolean hasSucceeded() {
      return isAnsweredWell || outcome == CallOutcome.OK;
    }
  }

  /**
   * Half of all seeds have waiting calls.
   *
   * @param isOff whether no call waits
   */
  PlannedOrder(SimRun run, boolean isOff) {
    this.run = run;
    draws = run.swarm().draws("order");
    ppm = !isOff && run.swarm().has("order") ? run.swarm().between("order.calls", 0, PPM) : 0;
  }

  /** Returns the options with the call's dependencies. */
  TransferOptions options(SimulatedServer life, PlannedCall call, TransferOptions usual) {
    boolean isPlain = CallPlans.isProbe(call.id()) || Callbacks.isOne(call.id());
    if (isPlain || !draws.chance(call.id(), 0, ppm)) {
      return usual;
    }
    Entry entry = new Entry(call);
    entries.put(call.id(), entry);
    List<Entry> earlier = recent.computeIfAbsent(life, key -> new ArrayList<>());
    TransferOptions options = usual.withToken(token -> entry.token = token);
    int count = earlier.isEmpty() ? 0 : (int) draws.below(call.id(), 1, MOST);
    for (int index = 0; index < count; index++) {
      Entry on = earlier.get((int) draws.below(call.id(), 2 + 2 * index, earlier.size()));
      DependencyKind kind = DependencyKind.values()[(int) draws.below(call.id(), 3 + 2 * index, 4)];
      CausalityToken token = on.token;
      if (token != null) {
        options = options.after(token, kind);
        entry.dependencies.add(new Dependency(on, kind));
      }
    }
    earlier.add(entry);
    if (earlier.size() > RECENT) {
      earlier.removeFirst();
    }
    return options;
  }

  /** A handler has got the call. */
  void onExecuted(PlannedCall call) {
    Entry entry = entries.get(call.id());
    if (entry == null) {
      return;
    }
    if (entry.overtaking != null) {
      run.fail(RULE, entry.overtaking + " ran before " + call);
    }
    for (Dependency dependency : entry.dependencies) {
      Entry on = dependency.on();
      if (on.isBulk()) {
        // The receiver knows the end of a body, but no handler hears of the end.
        continue;
      }
      if (dependency.kind().isForResponse() && !on.isAnswered && on.outcome == null) {
        on.overtaking = call;
      }
      if (dependency.kind() == DependencyKind.RESPONSE_CRITICAL && !on.hasSucceeded()) {
        run.fail(RULE, call + " runs though " + on.call + " failed");
      }
    }
  }

  /** The handler of a call answers. */
  void onAnswered(PlannedCall call, boolean isWell) {
    Entry entry = entries.get(call.id());
    if (entry != null) {
      entry.isAnswered = true;
      entry.isAnsweredWell = isWell;
    }
  }

  /** The caller of a call has heard of the end. */
  void onEnded(PlannedCall call, CallOutcome outcome) {
    Entry entry = entries.get(call.id());
    if (entry != null) {
      entry.outcome = outcome;
      if (outcome == CallOutcome.OK && entry.overtaking != null) {
        run.fail(RULE, entry.overtaking + " ran before " + call + " was answered");
      }
    }
  }

  /** Returns whether a call may have this outcome because of another call. */
  boolean explains(PlannedCall call, CallOutcome outcome) {
    Entry entry = entries.get(call.id());
    boolean isOne =
        outcome == CallOutcome.DEPENDENCY_FAILED || outcome == CallOutcome.DEPENDENCY_EXPIRED;
    return isOne
        && entry != null
        && entry.dependencies.stream().anyMatch(on -> on.kind().isCascading());
  }

  /** Every call has ended. */
  void end(ClusterWork work, long settlesNs) {
    for (Entry entry : entries.values()) {
      if (entry.outcome == CallOutcome.DEPENDENCY_FAILED && !hasReason(entry)) {
        run.fail(RULE, entry.call + " failed for another call, but no other call has failed");
      }
    }
    run.eventually(settlesNs, "no slot of causality is taken", () -> slots(work) == 0);
  }

  private static boolean hasReason(Entry entry) {
    return entry.dependencies.stream()
        .filter(dependency -> dependency.kind().isCascading())
        .anyMatch(dependency -> dependency.on().outcome != CallOutcome.OK);
  }

  private int slots(ClusterWork work) {
    int count = 0;
    for (int node = 0; node < work.settings().nodes(); node++) {
      SimulatedServer life = work.life(node);
      count += life == null ? 0 : slots(life.pool());
    }
    return count;
  }

  private static int slots(TransportPool pool) {
    int count = 0;
    for (int worker = 0; worker < pool.settings().workers().count(); worker++) {
      count += pool.port(worker).causality().live();
    }
    return count;
  }
}
