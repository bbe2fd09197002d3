package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.sim.Program;
import org.jspecify.annotations.Nullable;

/**
 * Ends a life of a node as an operator does: the program closes everything and may take its time.
 * Soon after the close, the node's requests have come to an end, and nothing is left. If the life
 * is lost meanwhile, the check ends. Simulation thread only.
 */
final class GracefulStop {
  private static final String RULE = "graceful stop";
  private static final long WITHIN_NS = 9_000_000_000L;

  private final FullRun run;
  private final FullNode node;
  private final NodeLife life;
  private final Program program;

  GracefulStop(FullRun run, FullNode node, Program program) {
    this.run = run;
    this.node = node;
    this.program = program;
    life = node.life();
  }

  void run() {
    try {
      node.call(
          () -> {
            program.stop(node);
            return true;
          });
    } catch (Exception e) {
      if (!life.isOver()) {
        run.simulation().fail(RULE, node.name() + " does not stop: " + e, e);
      }
    }
    if (life.isOver()) {
      return;
    }
    run.awaitNone(RULE, WITHIN_NS, this::left);
    if (!life.isOver()) {
      node.stop();
    }
  }

  private @Nullable String left() {
    if (life.isOver()) {
      return null;
    }
    long open = run.history().open(node.number());
    return open == 0
        ? run.remains(life)
        : node.name() + " was closed, and was never told what became of " + open + " calls";
  }
}
