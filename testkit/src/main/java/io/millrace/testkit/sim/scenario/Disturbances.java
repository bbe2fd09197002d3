package io.millrace.testkit.sim.scenario;

import java.util.BitSet;
import org.agrona.collections.LongHashSet;

/** What faults have touched so far: nodes, and links between two of them. Simulation thread. */
final class Disturbances {
  private final BitSet nodes = new BitSet();
  private final LongHashSet links = new LongHashSet();
  private boolean isAll;

  /** A fault touches a node, and all that it does. */
  void node(int node) {
    nodes.set(node);
  }

  /** A fault touches what passes between two nodes, one way or both. */
  void link(int one, int other) {
    links.add(key(one, other));
  }

  /** Nobody knows what a fault touches. */
  void all() {
    isAll = true;
  }

  /** Whether one of these nodes was touched, or what passes between them. */
  boolean isBetween(int one, int other) {
    return isAll || nodes.get(one) || nodes.get(other) || links.contains(key(one, other));
  }

  private static long key(int one, int other) {
    return (long) Math.min(one, other) << Integer.SIZE | Math.max(one, other);
  }
}
