package io.millrace.engine;

import com.typesafe.config.Config;
import java.io.Closeable;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.AbstractScheduler;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.Scheduler;
import org.apache.pekko.actor.SchedulerException;
import org.apache.pekko.event.LoggingAdapter;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/**
 * The timers of an actor system that a node has for itself: a thread that sleeps until the next
 * timer is due, and that ends after a while without a timer. Pekko's own scheduler wakes up a
 * hundred times a second, whether a timer is set or not. Any thread; setting a timer takes a lock,
 * so this is for control and for streams, not for packets and calls, whose timers are on the
 * worker's wheel.
 */
final class DeadlineScheduler extends AbstractScheduler implements Closeable {
  private static final double MAX_FREQUENCY_HZ = 1e9;

  private static final String CLOSED = "the scheduler is closed";

  /** The time for which the thread waits for another timer before its end. */
  private static final long KEEP_S = 10;

  private final ScheduledThreadPoolExecutor waits;
  private final LoggingAdapter log;

  /** Timers of tasks that run when the system ends, at the latest. */
  private final Set<Timer> onClose = ConcurrentHashMap.newKeySet();

  /** Called by Pekko. */
  DeadlineScheduler(Config config, LoggingAdapter log, ThreadFactory threads) {
    this.log = log;
    waits = new ScheduledThreadPoolExecutor(1, threads);
    waits.setRemoveOnCancelPolicy(true);
    waits.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    waits.setKeepAliveTime(KEEP_S, TimeUnit.SECONDS);
    waits.allowCoreThreadTimeOut(true);
  }

  @Override
  @SuppressWarnings("deprecation") // every scheduler has to implement this method
  public Cancellable schedule(
      FiniteDuration delay, FiniteDuration interval, Runnable task, ExecutionContext executor) {
    return start(delay, new Timer(task, executor, Math.max(1, interval.toNanos())));
  }

  @Override
  public Cancellable scheduleOnce(FiniteDuration delay, Runnable task, ExecutionContext executor) {
    return start(delay, new Timer(task, executor, 0));
  }

  @Override
  public double maxFrequency() {
    return MAX_FREQUENCY_HZ;
  }

  /** Runs the tasks that must not be lost when the system ends; the other timers are forgotten. */
  @Override
  public void close() {
    waits.shutdown();
    onClose.forEach(Timer::onClose);
  }

  private Cancellable start(FiniteDuration delay, Timer timer) {
    long delayNs = Math.max(0, delay.toNanos());
    timer.dueNs = System.nanoTime() + delayNs;
    timer.arm(delayNs);
    return timer;
  }

  private enum Phase {
    SET,
    DONE,
    CANCELLED
  }

  private final class Timer implements Cancellable {
    private final Runnable task;
    private final ExecutionContext executor;

    /** The time from a run to the next; 0 for a single run. */
    private final long periodNs;

    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.SET);
    private volatile @Nullable Future<?> wait;

    /** Of the next run; handed from thread to thread by the executors. */
    private long dueNs;

    private Timer(Runnable task, ExecutionContext executor, long periodNs) {
      this.task = task;
      this.executor = executor;
      this.periodNs = periodNs;
    }

    /**
     * Waits for the next run.
     *
     * @throws IllegalStateException if the scheduler is closed, with the cause by which Pekko's
     *     repeated timers recognise the close and end silently
     */
    private void arm(long delayNs) {
      if (task instanceof Scheduler.TaskRunOnClose) {
        onClose.add(this);
      }
      try {
        wait = waits.schedule(this::onDue, delayNs, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        refuse();
      }
      if (waits.isShutdown()) {
        refuse();
      } else if (phase.get() == Phase.CANCELLED) {
        onClose.remove(this);
        forget();
      }
    }

    /** Unless {@link #onClose} ran the task in this very moment. */
    private void refuse() {
      if (end(Phase.DONE)) {
        throw new IllegalStateException(CLOSED, new SchedulerException(CLOSED));
      }
    }

    private void onDue() {
      if (periodNs > 0 ? phase.get() == Phase.SET : end(Phase.DONE)) {
        try {
          executor.execute(periodNs > 0 ? this::repeat : task);
        } catch (RuntimeException e) {
          executor.reportFailure(e);
        }
      }
    }

    /**
     * Runs never overlap; a late run does not move the next runs. A task that throws is not run
     * again, and its executor tells the reason.
     */
    private void repeat() {
      if (phase.get() != Phase.SET) {
        return;
      }
      try {
        task.run();
        dueNs += periodNs;
        arm(Math.max(1, dueNs - System.nanoTime()));
      } catch (RuntimeException e) {
        end(Phase.DONE);
        if (!isEnd(e)) {
          throw e;
        }
      }
    }

    /** Whether the actor that the task is for has ended, or the scheduler has: nobody is told. */
    private static boolean isEnd(RuntimeException e) {
      return e instanceof SchedulerException || e.getCause() instanceof SchedulerException;
    }

    private void onClose() {
      if (end(Phase.DONE)) {
        try {
          task.run();
        } catch (RuntimeException e) {
          log.error(e, "a task of the end threw");
        }
      }
    }

    @Override
    public boolean cancel() {
      boolean isFirst = end(Phase.CANCELLED);
      if (isFirst) {
        forget();
      }
      return isFirst;
    }

    @Override
    public boolean isCancelled() {
      return phase.get() == Phase.CANCELLED;
    }

    private boolean end(Phase last) {
      boolean isFirst = phase.compareAndSet(Phase.SET, last);
      if (isFirst && task instanceof Scheduler.TaskRunOnClose) {
        onClose.remove(this);
      }
      return isFirst;
    }

    private void forget() {
      Future<?> present = wait;
      if (present != null) {
        present.cancel(false);
      }
    }
  }
}
