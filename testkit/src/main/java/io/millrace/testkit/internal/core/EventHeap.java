package io.millrace.testkit.internal.core;

import java.util.Arrays;

/**
 * The events to come, the earliest first. Events of one instant are in the order of their ties, and
 * with equal ties in the order of their coming. A heap of four children a node: a run spends more
 * time here than in any other class of the simulator. Not thread-safe; allocates only to grow.
 */
final class EventHeap {
  private static final int INITIAL = 256;
  private static final int CHILDREN_SHIFT = 2;
  private static final int CHILDREN = 1 << CHILDREN_SHIFT;

  /** Time, tie and ordinal of an event lie side by side. */
  private static final int WORDS = 3;

  private static final Runnable GONE = EventHeap::gone;

  private long[] keys = new long[WORDS * INITIAL];
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

  /** Returns when the next event is due; the heap must not be empty. */
  long nextNs() {
    return keys[0];
  }

  void add(long timeNs, long tie, Runnable event) {
    if (size == events.length) {
      grow();
    }
    long ordinal = added++;
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> CHILDREN_SHIFT;
      if (!isBefore(timeNs, tie, ordinal, parent)) {
        break;
      }
      move(parent, at);
      at = parent;
    }
    int key = WORDS * at;
    keys[key] = timeNs;
    keys[key + 1] = tie;
    keys[key + 2] = ordinal;
    events[at] = event;
  }

  /** Takes the next event; the heap must not be empty. */
  Runnable remove() {
    Runnable first = events[0];
    int last = --size;
    int at = 0;
    // The last event looks for a place below the gap at the top.
    for (int child = 1; child < last; child = CHILDREN * at + 1) {
      int earliest = earliest(child, Math.min(child + CHILDREN, last));
      if (!isBefore(earliest, last)) {
        break;
      }
      move(earliest, at);
      at = earliest;
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

  private int earliest(int from, int to) {
    int earliest = from;
    for (int at = from + 1; at < to; at++) {
      earliest = isBefore(at, earliest) ? at : earliest;
    }
    return earliest;
  }

  private boolean isBefore(int one, int other) {
    int key = WORDS * one;
    return isBefore(keys[key], keys[key + 1], keys[key + 2], other);
  }

  private boolean isBefore(long timeNs, long tie, long ordinal, int other) {
    int key = WORDS * other;
    if (timeNs != keys[key]) {
      return timeNs < keys[key];
    }
    return tie != keys[key + 1] ? tie < keys[key + 1] : ordinal < keys[key + 2];
  }

  private void move(int from, int to) {
    int source = WORDS * from;
    int target = WORDS * to;
    keys[target] = keys[source];
    keys[target + 1] = keys[source + 1];
    keys[target + 2] = keys[source + 2];
    events[to] = events[from];
  }

  private void grow() {
    int length = 2 * size;
    keys = Arrays.copyOf(keys, WORDS * length);
    events = Arrays.copyOf(events, length);
    Arrays.fill(events, size, length, GONE);
  }

  /** Stands in an empty place. */
  private static void gone() {}
}
