package io.millrace.testkit.internal.net;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** Decides which of the seed's faults may happen: the means to make a failing run smaller. */
@FunctionalInterface
public interface FaultFilter {
  /** Every fault may happen. */
  FaultFilter ALL = (link, ordinal, kind) -> true;

  /** Whether this fault, which is about to happen, is allowed to. */
  boolean allows(long link, long ordinal, FaultKind kind);

  /** Only these. */
  static FaultFilter only(Collection<FiredFault> faults) {
    Set<FiredFault> allowed = new HashSet<>(faults);
    return (link, ordinal, kind) -> allowed.contains(new FiredFault(link, ordinal, kind));
  }
}
