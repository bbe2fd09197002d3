package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a scenario plans, numbered in the order of planning, and which of it happened.
 * What must not happen in this run is numbered all the same, so that leaving out shifts nothing.
 */
final class Plan {
  private final Simulation simulation;
  private final Keep keep;
  private final List<PlannedEvent> happened = new ArrayList<>();
  private int faults;
  private int steps;
  private int dropped;

  Plan(Simulation simulation, Keep keep) {
    this.simulation = simulation;
    this.keep = keep;
  }

  /** A step of the workload at {@code atNs}. */
  void step(long atNs, String words, Runnable action) {
    int number = steps++;
    if (keep.allowsStep(number)) {
      schedule(new PlannedEvent(false, number, atNs, words), action);
    }
  }

  /** A step of a node at {@code atNs}; if it is dropped, the words say why. */
  void step(long atNs, String words, NodeStep step) {
    int number = steps++;
    if (!keep.allowsStep(number)) {
      return;
    }
    PlannedEvent event = new PlannedEvent(false, number, atNs, words);
    VirtualTime ownTime = simulation.newTime("plan.wait", number);
    simulation
        .newTime("plan.step", number)
        .at(atNs, () -> step.begin(ownTime, why -> onStep(event, why)));
  }

  private void onStep(PlannedEvent event, @Nullable String whyDropped) {
    if (whyDropped == null) {
      happened.add(event);
    } else {
      dropped++;
      String words = event.words() + ": dropped, " + whyDropped;
      happened.add(new PlannedEvent(false, event.number(), event.atNs(), words));
    }
  }

  /** How many steps of nodes were dropped so far. */
  int dropped() {
    return dropped;
  }

  /** A fault that begins at {@code atNs}; it is given time for its later events. */
  void fault(long atNs, String words, Consumer<VirtualTime> action) {
    int number = faults++;
    if (keep.allowsFault(number)) {
      VirtualTime ownTime = simulation.newTime("plan.end", number);
      schedule(new PlannedEvent(true, number, atNs, words), () -> action.accept(ownTime));
    }
  }

  /** A fault that waits for something to happen; null if it is left out. */
  @Nullable PlannedEvent await(String words) {
    int number = faults++;
    return keep.allowsFault(number)
        ? new PlannedEvent(true, number, simulation.nowNs(), words)
        : null;
  }

  /** What it waits for is there, and the fault happens for the first time. */
  void onMet(PlannedEvent awaited) {
    long nowNs = simulation.nowNs();
    happened.add(new PlannedEvent(true, awaited.number(), nowNs, awaited.words()));
  }

  private void schedule(PlannedEvent event, Runnable action) {
    String domain = event.isFault() ? "plan.fault" : "plan.step";
    simulation
        .newTime(domain, event.number())
        .at(
            event.atNs(),
            () -> {
              happened.add(event);
              action.run();
            });
  }

  /** How many faults are planned, those that must not happen among them. */
  int faults() {
    return faults;
  }

  /** How many steps are planned, those that must not happen among them. */
  int steps() {
    return steps;
  }

  /** What happened so far, in order; a copy. */
  List<PlannedEvent> happened() {
    return List.copyOf(happened);
  }
}
