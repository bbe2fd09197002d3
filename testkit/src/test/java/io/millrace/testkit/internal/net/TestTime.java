package io.millrace.testkit.internal.net;

import io.millrace.testkit.sim.VirtualTime;
import java.util.PriorityQueue;

/**
 * Virtual time of a test: events in the order of time, events of one instant in the order of
 * coming.
 */
final class TestTime implements VirtualTime {
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nowNs;
  private long ordinals;

  private record Event(long timeNs, long ordinal, Runnable event) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(timeNs, other.timeNs);
      return byTime != 0 ? byTime : Long.compare(ordinal, other.ordinal);
    }
  }

  @Override
  public long nowNs() {
    return nowNs;
  }

  @Override
  public void at(long timeNs, Runnable event) {
    events.add(new Event(Math.max(nowNs, timeNs), ordinals++, event));
  }

  /** Runs the events due until {@code timeNs}, and stops at this time. */
  void runUntil(long timeNs) {
    while (!events.isEmpty() && events.element().timeNs() <= timeNs) {
      Event next = events.remove();
      nowNs = next.timeNs();
      next.event().run();
    }
    nowNs = timeNs;
  }

  /** Number of events still to run. */
  int waiting() {
    return events.size();
  }

  /** Runs everything. */
  void runAll() {
    while (!events.isEmpty()) {
      runUntil(events.element().timeNs());
    }
  }
}
