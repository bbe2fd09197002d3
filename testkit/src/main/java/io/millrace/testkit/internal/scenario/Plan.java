package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All planned events of a scenario, numbered in the order of planning, and the list of the events
 * that happened. Events that must not happen in this run get a number all the same, so that leaving
 * out shifts nothing.
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

  /** Plans a step of the workload at {@code atNs}. */
  void step(long atNs, String words, Runnable action) {
    int number = steps++;
    if (keep.allowsStep(number)) {
      schedule(new PlannedEvent(false, number, atNs, words), action);
    }
  }

  /** Plans a step of a node at {@code atNs}; the words of a dropped step say why. */
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

  /** Returns how many steps of nodes were dropped so far. */
  int dropped() {
    return dropped;
  }

  /** Plans a fault that begins at {@code atNs}; the fault gets a time for its later events. */
  void fault(long atNs, String words, Consumer<VirtualTime> action) {
    int number = faults++;
    if (keep.allowsFault(number)) {
      VirtualTime ownTime = simulation.newTime("plan.end", number);
      schedule(new PlannedEvent(true, number, atNs, words), () -> action.accept(ownTime));
    }
  }

  /** Plans a fault that waits for an event; null if the run leaves the fault out. */
  @Nullable PlannedEvent await(String words) {
    int number = faults++;
    return keep.allowsFault(number)
        ? new PlannedEvent(true, number, simulation.nowNs(), words)
        : null;
  }

  /** Records that an awaited event has come, and the fault happens for the first time. */
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

  /** Returns the number of planned faults, including faults that must not happen. */
  int faults() {
    return faults;
  }

  /** Returns the number of planned steps, including steps that must not happen. */
  int steps() {
    return steps;
  }

  /** Returns the events that happened so far, in order; a copy. */
  List<PlannedEvent> happened() {
    return List.copyOf(happened);
  }
}
