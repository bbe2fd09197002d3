package io.millrace.testkit.internal.core;

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
    long ordinal = added++;
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (!isBefore(timeNs, tie, ordinal, parent)) {
        break;
      }
      move(parent, at);
      at = parent;
    }
    set(at, timeNs, tie, ordinal, event);
  }

  /** Takes the next event; only if there is one. */
  Runnable remove() {
    Runnable first = events[0];
    int last = --size;
    int at = 0;
    // The last event looks for a place below the gap at the top.
    for (int child = 1; child < last; child = 2 * at + 1) {
      if (child + 1 < last && isBefore(child + 1, child)) {
        child++;
      }
      if (!isBefore(child, last)) {
        break;
      }
      move(child, at);
      at = child;
    }
    move(last, at);
    events[last] = GONE;
    return first;
  }

  /** Forgets all. */
  void clear() {
    Arrays.fill(events, 0, size, GONE);
    size = 0;
  }

  private boolean isBefore(int one, int other) {
    return isBefore(times[one], ties[one], ordinals[one], other);
  }

  private boolean isBefore(long timeNs, long tie, long ordinal, int other) {
    if (timeNs != times[other]) {
      return timeNs < times[other];
    }
    return tie != ties[other] ? tie < ties[other] : ordinal < ordinals[other];
  }

  private void move(int from, int to) {
    set(to, times[from], ties[from], ordinals[from], events[from]);
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
