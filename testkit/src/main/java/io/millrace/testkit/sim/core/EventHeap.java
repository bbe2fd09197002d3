package io.millrace.testkit.sim.core;

import java.util.Arrays;

/**
 * The events that are to happen, the earliest first; those of one instant in the order of their
 * ties, and where these are equal in the order of their coming. Not thread-safe; allocates only to
 * grow.
 */
final class EventHeap {
  private static final int INITIAL = 256;
  private static final Runnable GONE = EventHeap::gone;

  private long[] times = new long[INITIAL];
  private long[] ties = new long[INITIAL];
  private long[] ordinals = new long[INITIAL];
  private Runnable[] events = new Runnable[INITIAL];
  private long added;
  private int size;

  EventHeap() {
    Arrays.fill(events, GONE);
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /** When the next event is due; only if there is one. */
  long nextNs() {
    return times[0];
  }

  void add(long timeNs, long tie, Runnable event) {
    if (size == times.length) {
      grow();
    }
    int at = size++;
    set(at, timeNs, tie, added++, event);
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (!isBefore(at, parent)) {
        return;
      }
      swap(at, parent);
      at = parent;
    }
  }

  /** Takes the next event; only if there is one. */
  Runnable remove() {
    Runnable first = events[0];
    size--;
    swap(0, size);
    events[size] = GONE;
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(child + 1, child)) {
        child++;
      }
      if (!isBefore(child, at)) {
        break;
      }
      swap(at, child);
      at = child;
    }
    return first;
  }

  /** Forgets all. */
  void clear() {
    Arrays.fill(events, 0, size, GONE);
    size = 0;
  }

  private boolean isBefore(int one, int other) {
    if (times[one] != times[other]) {
      return times[one] < times[other];
    }
    return ties[one] != ties[other] ? ties[one] < ties[other] : ordinals[one] < ordinals[other];
  }

  private void swap(int one, int other) {
    long timeNs = times[one];
    long tie = ties[one];
    long ordinal = ordinals[one];
    Runnable event = events[one];
    set(one, times[other], ties[other], ordinals[other], events[other]);
    set(other, timeNs, tie, ordinal, event);
  }

  private void set(int at, long timeNs, long tie, long ordinal, Runnable event) {
    times[at] = timeNs;
    ties[at] = tie;
    ordinals[at] = ordinal;
    events[at] = event;
  }

  private void grow() {
    int length = 2 * size;
    times = Arrays.copyOf(times, length);
    ties = Arrays.copyOf(ties, length);
    ordinals = Arrays.copyOf(ordinals, length);
    events = Arrays.copyOf(events, length);
    Arrays.fill(events, size, length, GONE);
  }

  /** Stands where no event is. */
  private static void gone() {}
}
