package io.millrace.loop;

import org.jspecify.annotations.Nullable;

/**
 * The work of a worker in each turn of its loop: poll the driver, feed machines, advance timers,
 * transmit.
 *
 * <p>Owned by exactly one {@link EventLoop}; every method is called on the loop's thread. Nothing
 * here may block.
 */
public interface DutyCycle {
  /** The answer of {@link #nextDeadlineNs()} without a timer. */
  long NO_DEADLINE_NS = Long.MAX_VALUE;

  /**
   * Does the due work, bounded, and returns the amount of the work; 0 means that nothing was due.
   *
   * @param nowNs the loop's clock, read after this turn's mailbox tasks
   */
  int doWork(long nowNs);

  /**
   * Whether {@link #doWork} would find work right now, deadlines and the network aside: entries on
   * rings, above all. A loop asks before its park, so a ring's emptiness must be judged by the
   * ring's producer position (as Agrona's {@code isEmpty()} does), never by a null from a poll.
   * Changes nothing.
   */
  boolean hasWork();

  /**
   * The earliest time at which {@link #doWork} is due although nothing arrives, on the loop's
   * clock, or {@link #NO_DEADLINE_NS}. Changes nothing.
   */
  long nextDeadlineNs();

  /**
   * Descriptors of the system that are readable whenever {@link #doWork} would find something from
   * the network; null if the cycle finds such things without descriptors. An idle loop may sleep
   * until a descriptor is readable, or until another thread wakes the loop. The array stays the
   * same object as long as the descriptors are the same.
   */
  default int @Nullable [] arrivalDescriptors() {
    return null;
  }

  /** Called once, when this cycle leaves its loop: unregistered, or the loop has ended. */
  void onClose();

  /**
   * Called when {@link #doWork} threw. The cycle stays registered and is called again next turn; a
   * cycle that cannot go on unregisters here. By default the thread's uncaught exception handler is
   * told.
   */
  default void onCycleFailed(Throwable cause) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
  }
}
