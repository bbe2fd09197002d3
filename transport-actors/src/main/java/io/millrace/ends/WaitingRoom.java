package io.millrace.ends;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The room where submissions of a node wait: for the ring of their worker, or for the completion of
 * their future. The node bounds the room. Each worker has a {@link WaitingLine} in the room, so a
 * submission with a full ring holds back no submission to another worker. Any thread; no lock.
 */
public final class WaitingRoom {
  /** Arrivals take the bits of an order below this number, priorities the bits above. */
  private static final int ARRIVAL_BITS = 60;

  private final int limit;
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicLong arrivals = new AtomicLong();

  /** A room for this number of submissions; 0 for a room in which no submission ever waits. */
  public WaitingRoom(int limit) {
    this.limit = limit;
  }

  /** Waiting submissions; any thread. */
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

  /** Takes room for a submission; false without room. */
  boolean enter() {
    if (held.incrementAndGet() > limit) {
      held.decrementAndGet();
      return false;
    }
    return true;
  }

  /** A submission does not wait any more. */
  void leave() {
    held.decrementAndGet();
  }

  /** The order of a submission that comes now: smaller orders go first. */
  long order(int priority) {
    return (long) priority << ARRIVAL_BITS | arrivals.getAndIncrement();
  }
}
