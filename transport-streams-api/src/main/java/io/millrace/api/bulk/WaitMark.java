package io.millrace.api.bulk;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether one side waits for the other. Each wait has a number of its own, so that a waker that
 * looked at one wait cannot end the next, for which it may be too early. A wait is ended once,
 * either by its owner or by a waker.
 */
final class WaitMark {
  static final long NOT_WAITING = 0;

  private final AtomicLong current = new AtomicLong(NOT_WAITING);

  /** The owner's own. */
  private long waits;

  /** Owner: waits from now on; it must look once more, and may then {@link #end} its wait. */
  long begin() {
    current.set(++waits);
    return waits;
  }

  /** Waker: the wait to end, if there is one; ask for it before looking whether it is time to. */
  long current() {
    return current.get();
  }

  /** Ends this wait, unless it has ended. */
  boolean end(long wait) {
    return current.compareAndSet(wait, NOT_WAITING);
  }
}
