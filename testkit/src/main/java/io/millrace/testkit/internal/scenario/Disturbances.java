package io.millrace.testkit.internal.scenario;

import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes and links that faults touch, and the end of each disturbance. Simulation thread;
 * virtual ns.
 */
final class Disturbances {
  private static final long NEVER = Long.MIN_VALUE;

  /** The end of the disturbance of a node or a link. */
  private static final class Touched {
    private long untilNs = NEVER;

    private void until(long endNs) {
      untilNs = Math.max(untilNs, endNs);
    }

    private void end(long nowNs) {
      untilNs = Math.min(untilNs, nowNs);
    }
  }

  private final Int2ObjectHashMap<Touched> nodes = new Int2ObjectHashMap<>();
  private final Long2ObjectHashMap<Touched> links = new Long2ObjectHashMap<>();
  private final Touched all = new Touched();

  /** Records that a fault touches a node, and all the node's traffic. */
  void node(int node, long untilNs) {
    nodes.computeIfAbsent(node, each -> new Touched()).until(untilNs);
  }

  /** Records that a fault touches the traffic between two nodes, one way or both. */
  void link(int one, int other, long untilNs) {
    links.computeIfAbsent(key(one, other), each -> new Touched()).until(untilNs);
  }

  /** Records a fault of unknown reach. */
  void all(long untilNs) {
    all.until(untilNs);
  }

  /** Ends all faults. */
  void end(long nowNs) {
    all.end(nowNs);
    // The order does not matter: each entry is treated alike.
    nodes.values().forEach(each -> each.end(nowNs));
    links.values().forEach(each -> each.end(nowNs));
  }

  /** Whether a fault touched a node of the pair, or the traffic between the two, then or later. */
  boolean isBetween(int one, int other, long sinceNs) {
    return isSince(all, sinceNs)
        || isSince(nodes.get(one), sinceNs)
        || isSince(nodes.get(other), sinceNs)
        || isSince(links.get(key(one, other)), sinceNs);
  }

  private static boolean isSince(@Nullable Touched touched, long sinceNs) {
    return touched != null && touched.untilNs >= sinceNs;
  }

  private static long key(int one, int other) {
    return (long) Math.min(one, other) << Integer.SIZE | Math.max(one, other);
  }
}
