package io.millrace.testkit.internal.net;

import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayList;

/** Lets faults happen or not, and remembers the first million faults that did. */
final class FaultLog {
  private static final int CAPACITY = 1 << 20;

  private static final FaultKind[] KINDS = FaultKind.values();
  private static final int WORDS = 3;

  /**
   * Link, ordinal and kind of each fault; overtaking on a fabric is too usual for an object per
   * fault.
   */
  private final LongArrayList fired = new LongArrayList();

  private FaultFilter filter = FaultFilter.ALL;

  void filter(FaultFilter filter) {
    this.filter = filter;
  }

  boolean fires(long link, long ordinal, FaultKind kind) {
    if (!filter.allows(link, ordinal, kind)) {
      return false;
    }
    if (fired.size() < WORDS * CAPACITY) {
      fired.addLong(link);
      fired.addLong(ordinal);
      fired.addLong(kind.ordinal());
    }
    return true;
  }

  List<FiredFault> fired() {
    List<FiredFault> all = new ArrayList<>(fired.size() / WORDS);
    for (int i = 0; i < fired.size(); i += WORDS) {
      FaultKind kind = KINDS[(int) fired.getLong(i + 2)];
      all.add(new FiredFault(fired.getLong(i), fired.getLong(i + 1), kind));
    }
    return all;
  }
}
