package io.millrace.protocol.schedule;

import org.jspecify.annotations.Nullable;

/**
 * The order of sending among the entries of a worker that share a send rate, and the time at which
 * the next of these entries may send. On the worker's thread; does not allocate.
 *
 * @param <P> the scheduled owner, such as a peer path
 */
public final class ShapedScheduler<P> {
  private final PriorityScheduler<P> scheduler;
  private final Shaper shaper;

  /** The order of {@code scheduler} at the times of {@code shaper}. */
  public ShapedScheduler(PriorityScheduler<P> scheduler, Shaper shaper) {
    this.scheduler = scheduler;
    this.shaper = shaper;
  }

  /** The order in which entries send. */
  public PriorityScheduler<P> scheduler() {
    return scheduler;
  }

  /** The time at which an entry may send. */
  public Shaper shaper() {
    return shaper;
  }

  /** The entry with the turn to send, or null if no entry wants to send or may send. */
  public @Nullable Schedulable<P> poll(long nowNs) {
    if (scheduler.waitingLevels() != 0 && !shaper.mayStart(nowNs)) {
      return null;
    }
    Schedulable<P> next = scheduler.poll();
    if (next == null) {
      shaper.onIdle();
    }
    return next;
  }

  /** Whether an entry may send, at any time. */
  public boolean hasWork() {
    return scheduler.waitingLevels() != 0 && !shaper.isWaiting();
  }
}
