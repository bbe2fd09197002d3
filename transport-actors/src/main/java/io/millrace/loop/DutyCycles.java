package io.millrace.loop;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The duty cycles of a loop, each behind a guard: an exception of a cycle is told to this cycle,
 * and neither the other cycles nor the loop notice. Used on the loop's thread only. Calling the
 * cycles allocates nothing.
 */
@SuppressWarnings("ReferenceEquality") // a cycle is the object that was registered, and no other
final class DutyCycles {
  private static final DutyCycle[] NONE = {};

  private final LoopCounters counters;
  private final FailureReporter failures;

  /** Replaced, never changed: a turn goes on over the array of its begin. */
  private DutyCycle[] cycles = NONE;

  DutyCycles(LoopCounters counters, FailureReporter failures) {
    this.counters = counters;
    this.failures = failures;
  }

  boolean isEmpty() {
    return cycles.length == 0;
  }

  boolean contains(DutyCycle cycle) {
    for (DutyCycle each : cycles) {
      if (each == cycle) {
        return true;
      }
    }
    return false;
  }

  void add(DutyCycle cycle) {
    DutyCycle[] grown = Arrays.copyOf(cycles, cycles.length + 1);
    grown[cycles.length] = cycle;
    cycles = grown;
  }

  /** Removes and closes a registered cycle. */
  void remove(DutyCycle cycle) {
    if (contains(cycle)) {
      cycles = Arrays.stream(cycles).filter(each -> each != cycle).toArray(DutyCycle[]::new);
      close(cycle);
    }
  }

  /** Removes and closes all, the last first. */
  void removeAll() {
    while (!isEmpty()) {
      remove(cycles[cycles.length - 1]);
    }
  }

  /** Calls each cycle once and returns the sum of their work. */
  int run(long nowNs) {
    int work = 0;
    DutyCycle[] turn = cycles;
    for (DutyCycle cycle : turn) {
      // A cycle may have removed another cycle, or itself, a moment ago.
      if (turn == cycles || contains(cycle)) {
        work += run(cycle, nowNs);
      }
    }
    return work;
  }

  boolean hasWork() {
    for (DutyCycle cycle : cycles) {
      if (hasWork(cycle)) {
        return true;
      }
    }
    return false;
  }

  /** The earliest deadline; {@code nowNs} when a cycle fails to tell. */
  long nextDeadlineNs(long nowNs) {
    long earliestNs = DutyCycle.NO_DEADLINE_NS;
    for (DutyCycle cycle : cycles) {
      long deadlineNs = deadlineNs(cycle, nowNs);
      if (earliestNs == DutyCycle.NO_DEADLINE_NS
          || (deadlineNs != DutyCycle.NO_DEADLINE_NS && deadlineNs - earliestNs < 0)) {
        earliestNs = deadlineNs;
      }
    }
    return earliestNs;
  }

  /** The descriptors of the only cycle; null without descriptors, and with several cycles. */
  int @Nullable [] arrivalDescriptors() {
    return cycles.length == 1 ? arrivalDescriptors(cycles[0]) : null;
  }

  private int run(DutyCycle cycle, long nowNs) {
    try {
      return cycle.doWork(nowNs);
    } catch (Throwable failure) {
      tell(cycle, failure);
      return 0;
    }
  }

  private boolean hasWork(DutyCycle cycle) {
    try {
      return cycle.hasWork();
    } catch (Throwable failure) {
      tell(cycle, failure);
      return true; // unknown: the loop must not sleep on this deadline
    }
  }

  private long deadlineNs(DutyCycle cycle, long nowNs) {
    try {
      return cycle.nextDeadlineNs();
    } catch (Throwable failure) {
      tell(cycle, failure);
      return nowNs;
    }
  }

  private int @Nullable [] arrivalDescriptors(DutyCycle cycle) {
    try {
      return cycle.arrivalDescriptors();
    } catch (Throwable failure) {
      tell(cycle, failure);
      return null;
    }
  }

  private void tell(DutyCycle cycle, Throwable failure) {
    counters.onCycleFailed();
    try {
      cycle.onCycleFailed(failure);
    } catch (Throwable second) {
      if (second != failure) {
        second.addSuppressed(failure);
      }
      failures.report(second);
    }
  }

  private void close(DutyCycle cycle) {
    try {
      cycle.onClose();
    } catch (Throwable failure) {
      failures.report(failure);
    }
  }
}
