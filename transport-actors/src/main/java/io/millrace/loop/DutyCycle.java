package io.millrace.loop;

import org.jspecify.annotations.Nullable;

/**
 * What a worker does once per turn of its loop: poll the driver, feed machines, advance timers,
 * transmit.
 *
 * <p>Owned by exactly one {@link EventLoop}; every method is called on that loop's thread. Nothing
 * here may block.
 */
public interface DutyCycle {
  /** What {@link #nextDeadlineNs()} answers when no timer is set. */
  long NO_DEADLINE_NS = Long.MAX_VALUE;

  /**
   * Does what is due now, bounded, and returns how much that was; 0 means there was nothing to do.
   *
   * @param nowNs the loop's clock, read after this turn's mailbox tasks
   */
  int doWork(long nowNs);

  /**
   * Whether {@link #doWork} would find something right now, deadlines and the network aside: what
   * lies on rings, above all. A loop asks before it parks, so a ring's emptiness must be judged by
   * its producer position (as Agrona's {@code isEmpty()} does), never by a null from a poll.
   * Changes nothing.
   */
  boolean hasWork();

  /**
   * The earliest time at which {@link #doWork} is due although nothing arrives, on the loop's
   * clock, or {@link #NO_DEADLINE_NS}. Changes nothing.
   */
  long nextDeadlineNs();

  /**
   * Descriptors of the system that are readable whenever {@link #doWork} would find something that
   * came from the network; null if it can find such things without. A loop that has nothing to do
   * may sleep until one of them is, or until somebody wakes it. The same array as long as they are
   * the same.
   */
  default int @Nullable [] arrivalDescriptors() {
    return null;
  }

  /** Called once, when this cycle leaves its loop: unregistered, or the loop has ended. */
  void onClose();

  /**
   * Called when {@link #doWork} threw. The cycle stays registered and is called again next turn;
   * who cannot go on unregisters here. By default the thread's uncaught exception handler is told.
   */
  default void onCycleFailed(Throwable cause) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
  }
}
