package io.millrace.path.packet;

import io.millrace.config.TransportSettings;
import io.millrace.path.network.PathNetwork;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.schedule.Shaper;
import org.jspecify.annotations.Nullable;

/**
 * The order of sending among the paths of one worker, and the time at which the worker may send at
 * all. Also the paths wanting a look in this turn. On the worker's thread; does not allocate in the
 * steady state.
 */
public final class WorkerSchedule {
  private final PriorityScheduler<Sender> scheduler;
  private final Shaper shaper;
  private final TouchedPaths touched = new TouchedPaths();

  /** A path with turns from the scheduler. */
  public interface Sender {
    /**
     * Sends one train beginning with frames of {@code level}.
     *
     * @return false if nothing was sent: then {@link #isStalled()} says whether a buffer was
     *     missing
     */
    boolean transmit(int level, long nowNs);

    /** Whether the last {@link #transmit} found no free send buffer. */
    boolean isStalled();
  }

  /** A schedule without any waiting path. */
  public WorkerSchedule(
      PriorityScheduler<Sender> scheduler, TransportSettings settings, PathNetwork network) {
    this.scheduler = scheduler;
    shaper =
        new Shaper(
            settings.nic().sendRate().bitsPerSecond(),
            settings.workers().count(),
            network.packetOverheadBytes());
  }

  /** The order in which paths send. */
  public PriorityScheduler<Sender> scheduler() {
    return scheduler;
  }

  /** The shaper of the worker: the time at which the worker may send at all. */
  public Shaper shaper() {
    return shaper;
  }

  /** The paths wanting a look in this turn. */
  public TouchedPaths touched() {
    return touched;
  }

  /** The path with the turn to send, or null if no path wants to send or may send. */
  public @Nullable Schedulable<Sender> poll(long nowNs) {
    if (scheduler.waitingLevels() != 0 && !shaper.mayStart(nowNs)) {
      return null;
    }
    Schedulable<Sender> next = scheduler.poll();
    if (next == null) {
      shaper.onIdle();
    }
    return next;
  }

  /** Whether a path may send or wants a look, at any time. */
  public boolean hasWork() {
    return (scheduler.waitingLevels() != 0 && !shaper.isWaiting()) || !touched.isEmpty();
  }
}
