package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.sim.VirtualTime;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A step that a node takes, in the life that it has when the step is due. */
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
   * It is due.
   *
   * @param time for waiting until the node does not stand still any more
   * @param outcome is told why the step is dropped, or null just before it is taken
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
      throw new IllegalStateException("a step throws what it cannot", e);
    }
  }
}
