package io.millrace.ends;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where submissions of one node wait for room: in the ring of their worker, or for the completion
 * of their future. It is bounded for the node. Each worker has a {@link WaitingLine} in it, so one
 * whose ring is full holds back nobody who goes to another. Any thread; no lock.
 */
public final class WaitingRoom {
  /** Below these bits of an order are arrivals, above them priorities. */
  private static final int ARRIVAL_BITS = 60;

  private final int limit;
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicLong arrivals = new AtomicLong();

  /** A room for so many submissions; 0 for none, so that none ever waits. */
  public WaitingRoom(int limit) {
    this.limit = limit;
  }

  /** Submissions that wait; any thread. */
  public int waiting() {
    return held.get();
  }

  boolean isEmpty() {
    return held.get() == 0;
  }

  /** Whether anything may wait at all. */
  boolean isOpen() {
    return limit > 0;
  }

  /** Takes room for one; false if there is none. */
  boolean enter() {
    if (held.incrementAndGet() > limit) {
      held.decrementAndGet();
      return false;
    }
    return true;
  }

  /** One does not wait any more. */
  void leave() {
    held.decrementAndGet();
  }

  /** The order of one that comes now: those of a smaller one go first. */
  long order(int priority) {
    return (long) priority << ARRIVAL_BITS | arrivals.getAndIncrement();
  }
}
