package io.millrace.samples.sim;

import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.SimRun;
import java.util.BitSet;

/**
 * In some seeds a few nodes do not come back at the end of all faults: the nodes are down, or
 * nobody hears them. The other nodes must get on without the lost nodes, and with the lost nodes
 * after their return.
 */
final class LostNodes {
  private static final int LEAST_NODES = 3;
  private static final int LEAST_LEFT = 2;
  private static final int SEEDS_PPM = 300_000;

  private final SimRun run;
  private final BitSet lost = new BitSet();

  /** Loses no nodes in many seeds; otherwise at least two nodes are left. */
  LostNodes(SimRun run, boolean mayLose) {
    this.run = run;
    int nodes = run.nodes();
    if (mayLose && nodes >= LEAST_NODES && run.swarm().has("lost", SEEDS_PPM)) {
      Draws draws = run.swarm().draws("lost");
      long count = draws.between(-1, 0, 1, nodes - LEAST_LEFT);
      for (int i = 0; i < count; i++) {
        lost.set((int) draws.below(i, 0, nodes));
      }
    }
  }

  boolean isLost(int node) {
    return lost.get(node);
  }

  boolean isNone() {
    return lost.isEmpty();
  }

  /** Ends all faults but these losses. */
  void heal() {
    Draws draws = run.swarm().draws("lost.down");
    for (int node = lost.nextSetBit(0); node >= 0; node = lost.nextSetBit(node + 1)) {
      if (draws.below(node, 0, 2) == 0) {
        run.crash(node);
      }
    }
    run.heal(this::isLost);
  }

  /** Brings the lost nodes back. */
  void recover() {
    run.recover();
    lost.clear();
  }
}
