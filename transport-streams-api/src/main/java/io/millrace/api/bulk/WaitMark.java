package io.millrace.api.bulk;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The mark of a side that waits for the other side. Each wait has a number of its own: a waker that
 * saw one wait cannot end the next wait, for which the time may be too early. Each wait ends once,
 * either by its owner or by a waker.
 */
final class WaitMark {
  static final long NOT_WAITING = 0;

  private final AtomicLong current = new AtomicLong(NOT_WAITING);

  /** The number of waits so far; used by the owner only. */
  private long waits;

  /**
   * Owner: begins a wait; the owner must check its condition once more, and may then {@link #end}
   * the wait.
   */
  long begin() {
    current.set(++waits);
    return waits;
  }

  /**
   * Waker: returns the present wait, if any; call this method before checking the condition of the
   * wake-up.
   */
  long current() {
    return current.get();
  }

  /** Ends this wait, unless the wait has ended. */
  boolean end(long wait) {
    return current.compareAndSet(wait, NOT_WAITING);
  }
}
