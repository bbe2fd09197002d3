package io.millrace.testkit.sim.net;

import java.util.ArrayList;
import java.util.List;

/** Lets faults happen or not, and remembers those that did, the first million of them. */
final class FaultLog {
  private static final int CAPACITY = 1 << 20;

  private final List<FiredFault> fired = new ArrayList<>();
  private FaultFilter filter = FaultFilter.ALL;

  void filter(FaultFilter filter) {
    this.filter = filter;
  }

  boolean fires(long link, long ordinal, FaultKind kind) {
    if (!filter.allows(link, ordinal, kind)) {
      return false;
    }
    if (fired.size() < CAPACITY) {
      fired.add(new FiredFault(link, ordinal, kind));
    }
    return true;
  }

  List<FiredFault> fired() {
    return List.copyOf(fired);
  }
}
