package io.millrace.protocol.schedule;

import org.jspecify.annotations.Nullable;

/**
 * A doubly linked list through the timers themselves. Knows whether timers were appended in the
 * order of their schedule calls; {@link #sort()} restores that order in place.
 */
final class TimerList {
  /** The index of this list in its wheel. */
  final int index;

  @Nullable Timer head;
  private @Nullable Timer tail;
  private boolean isSorted = true;

  TimerList(int index) {
    this.index = index;
  }

  boolean isEmpty() {
    return head == null;
  }

  void append(Timer timer) {
    final Timer last = tail;
    timer.list = this;
    timer.previous = last;
    timer.next = null;
    if (last == null) {
      head = timer;
      isSorted = true;
    } else {
      last.next = timer;
      isSorted &= last.order < timer.order;
    }
    tail = timer;
  }

  void remove(Timer timer) {
    final Timer before = timer.previous;
    final Timer after = timer.next;
    if (before == null) {
      head = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      tail = before;
    } else {
      after.previous = before;
    }
    timer.list = null;
    timer.previous = null;
    timer.next = null;
  }

  /** Empties this list and returns its timers chained by {@code next}; their links are stale. */
  @Nullable Timer takeAll() {
    final Timer chain = head;
    head = null;
    tail = null;
    isSorted = true;
    return chain;
  }

  /** Brings the timers into the order of the schedule calls: a merge sort that needs no memory. */
  void sort() {
    for (int width = 1; !isSorted; width <<= 1) {
      mergeRuns(takeAll(), width);
    }
  }

  private void mergeRuns(@Nullable Timer chain, int width) {
    Timer left = chain;
    while (left != null) {
      final Timer right = cut(left, width);
      final Timer following = right == null ? null : cut(right, width);
      merge(left, right);
      left = following;
    }
  }

  /** Ends the chain after {@code length} timers and returns the rest of the chain. */
  private static @Nullable Timer cut(Timer start, int length) {
    Timer last = start;
    for (int i = 1; i < length; i++) {
      final Timer next = last.next;
      if (next == null) {
        return null;
      }
      last = next;
    }
    final Timer rest = last.next;
    last.next = null;
    return rest;
  }

  private void merge(Timer first, @Nullable Timer second) {
    Timer left = first;
    Timer right = second;
    while (left != null && right != null) {
      if (left.order < right.order) {
        left = appendAndStep(left);
      } else {
        right = appendAndStep(right);
      }
    }
    appendChain(left);
    appendChain(right);
  }

  private void appendChain(@Nullable Timer chain) {
    Timer timer = chain;
    while (timer != null) {
      timer = appendAndStep(timer);
    }
  }

  /** Appends a timer of a chain and returns the timer behind in the chain. */
  private @Nullable Timer appendAndStep(Timer timer) {
    final Timer following = timer.next;
    append(timer);
    return following;
  }
}
