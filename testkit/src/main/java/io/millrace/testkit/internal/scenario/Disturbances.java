package io.millrace.testkit.internal.scenario;

import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What faults touch, and until when: nodes, and links between two of them. Simulation thread;
 * virtual ns.
 */
final class Disturbances {
  private static final long NEVER = Long.MIN_VALUE;

  /** Until when something is touched. */
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

  /** A fault touches a node, and all that it does. */
  void node(int node, long untilNs) {
    nodes.computeIfAbsent(node, each -> new Touched()).until(untilNs);
  }

  /** A fault touches what passes between two nodes, one way or both. */
  void link(int one, int other, long untilNs) {
    links.computeIfAbsent(key(one, other), each -> new Touched()).until(untilNs);
  }

  /** Nobody knows what a fault touches. */
  void all(long untilNs) {
    all.until(untilNs);
  }

  /** All faults end. */
  void end(long nowNs) {
    all.end(nowNs);
    // The order does not matter: each is treated alike.
    nodes.values().forEach(each -> each.end(nowNs));
    links.values().forEach(each -> each.end(nowNs));
  }

  /** Whether one of these nodes was touched, or what passes between them, then or later. */
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
