package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.sim.VirtualTime;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A step of a node, taken in the life of the node at the due time. */
final class NodeStep {
  private final FullRun run;
  private final int number;
  private final Runnable step;

  NodeStep(FullRun run, int number, Runnable step) {
    this.run = run;
    this.number = number;
    this.step = step;
  }

  /**
   * Takes the step, which is due now.
   *
   * @param time for waiting until the node no longer stands still
   * @param outcome receives the reason of a dropped step, or null just before the step is taken
   */
  void begin(VirtualTime time, Consumer<@Nullable String> outcome) {
    FullNode node = run.node(number);
    if (node.isUp()) {
      take(node, node.life(), time, outcome);
    } else {
      outcome.accept(node.name() + " is down");
    }
  }

  private void take(
      FullNode node, NodeLife life, VirtualTime time, Consumer<@Nullable String> outcome) {
    if (life.isOver()) {
      outcome.accept("that life of " + node.name() + " ended while it stood still");
    } else if (node.pausedUntilNs() > time.nowNs()) {
      time.at(node.pausedUntilNs(), () -> take(node, life, time, outcome));
    } else {
      outcome.accept(null);
      call(node);
    }
  }

  private void call(FullNode node) {
    try {
      node.call(
          () -> {
            step.run();
            return true;
          });
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("a step throws an undeclared exception", e);
    }
  }
}
