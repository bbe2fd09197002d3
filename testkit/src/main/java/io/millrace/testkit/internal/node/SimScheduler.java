package io.millrace.testkit.internal.node;

import com.typesafe.config.Config;
import io.millrace.testkit.internal.core.TraceKind;
import io.millrace.testkit.sim.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.actor.AbstractScheduler;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.Scheduler;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.event.LoggingAdapter;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/**
 * An actor system's scheduler under virtual time: delays are told by the node's clock, and a task
 * runs on its own execution context. Simulation thread only.
 */
public final class SimScheduler extends AbstractScheduler implements AutoCloseable {
  private static final double MAX_FREQUENCY_HZ = 1e9;

  private final LifeLoops loops;
  private final NodeLife life;
  private final VirtualTime time;
  private final List<SimTimer> onClose = new ArrayList<>();
  private long timers;

  /** Called by Pekko while a node's life begins. */
  public SimScheduler(Config config, LoggingAdapter log, ThreadFactory threads) {
    loops = LifeLoops.booting();
    life = loops.life();
    time = life.simulation().newTime("node.timer", life.entity(0));
  }

  /** Returns the loops of the life to which these dispatchers belong. */
  static LifeLoops loops(DispatcherPrerequisites prerequisites) {
    return ((SimScheduler) prerequisites.scheduler()).loops;
  }

  @Override
  @SuppressWarnings("deprecation") // every scheduler has to implement this method
  public Cancellable schedule(
      FiniteDuration delay, FiniteDuration interval, Runnable task, ExecutionContext executor) {
    return start(delay, new SimTimer(task, executor, Math.max(1, interval.toNanos())));
  }

  @Override
  public Cancellable scheduleOnce(FiniteDuration delay, Runnable task, ExecutionContext executor) {
    SimTimer timer = start(delay, new SimTimer(task, executor, 0));
    if (task instanceof Scheduler.TaskRunOnClose) {
      onClose.removeIf(each -> each.isDone);
      onClose.add(timer);
    }
    return timer;
  }

  @Override
  public double maxFrequency() {
    return MAX_FREQUENCY_HZ;
  }

  /** Runs the tasks that must run at the end of the system. */
  @Override
  public void close() {
    onClose.forEach(SimTimer::onClose);
    onClose.clear();
  }

  private SimTimer start(FiniteDuration delay, SimTimer timer) {
    timer.arm(Math.max(0, delay.toNanos()));
    return timer;
  }

  private final class SimTimer implements Cancellable, Runnable {
    private final Runnable task;
    private final ExecutionContext executor;
    private final long periodNs;
    private final long ordinal = timers++;
    private boolean isDone;
    private boolean isCancelled;

    private SimTimer(Runnable task, ExecutionContext executor, long periodNs) {
      this.task = task;
      this.executor = executor;
      this.periodNs = periodNs;
    }

    private void arm(long nodeDelayNs) {
      time.at(time.nowNs() + life.clock().virtualDurationNs(nodeDelayNs), this);
    }

    @Override
    public void run() {
      if (isDone || life.isOver()) {
        return;
      }
      long pausedUntilNs = life.node().pausedUntilNs();
      if (time.nowNs() < pausedUntilNs) {
        time.at(pausedUntilNs, this);
        return;
      }
      isDone = periodNs == 0;
      life.simulation().trace(TraceKind.TIMER, life.entity(0), ordinal);
      try {
        executor.execute(task);
      } catch (RejectedExecutionException e) {
        // The task's dispatcher has been shut down meanwhile; a real scheduler logs the exception
        // and goes on.
        isDone = true;
      }
      if (!isDone) {
        arm(periodNs);
      }
    }

    private void onClose() {
      if (!isDone) {
        isDone = true;
        task.run();
      }
    }

    @Override
    public boolean cancel() {
      if (isDone) {
        return false;
      }
      isDone = true;
      isCancelled = true;
      return true;
    }

    @Override
    public boolean isCancelled() {
      return isCancelled;
    }
  }
}
