package io.millrace.actor.submission;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The way from workers to the application's executor: a bounded queue that at most {@code
 * parallelism} tasks of the executor empty. A worker wakes the executor only when nobody empties
 * the queue or it grows, so a burst costs one hand-over and not one for each call.
 */
public final class ExecutorLane {
  private static final int BACKLOG_PER_TASK = 16;

  private final Executor executor;
  private final int parallelism;
  private final ManyToManyConcurrentArrayQueue<Runnable> queue;
  private final ConcurrentLinkedQueue<Runnable> owned = new ConcurrentLinkedQueue<>();
  private final AtomicInteger active = new AtomicInteger();
  private final Runnable drain = this::drain;

  /** A lane to {@code executor} that holds {@code capacity} tasks. */
  public ExecutorLane(Executor executor, int capacity, int parallelism) {
    this.executor = executor;
    this.parallelism = parallelism;
    queue = new ManyToManyConcurrentArrayQueue<>(capacity);
  }

  /**
   * Hands a task over; it does not throw.
   *
   * @return false when the lane is full or the executor refuses; the task will not run
   */
  public boolean offer(Runnable task) {
    if (!queue.offer(task)) {
      return false;
    }
    int running = active.get();
    if (running == 0 || (running < parallelism && queue.size() > running * BACKLOG_PER_TASK)) {
      return start(running);
    }
    return true;
  }

  /**
   * Hands over a task that somebody owns and that waits at most once (a body's work): it is never
   * refused, because the number of owners is the bound. After the executor was shut down it does
   * not run.
   */
  public void give(Runnable task) {
    if (!queue.offer(task)) {
      owned.add(task);
    }
    int running = active.get();
    if (running == 0 || (running < parallelism && queue.size() > running * BACKLOG_PER_TASK)) {
      start(running);
    }
  }

  private boolean start(int running) {
    if (!active.compareAndSet(running, running + 1)) {
      return true;
    }
    try {
      executor.execute(drain);
      return true;
    } catch (RejectedExecutionException e) {
      active.decrementAndGet();
      return running > 0 || queue.poll() == null;
    }
  }

  private void drain() {
    do {
      Runnable task;
      while ((task = next()) != null) {
        run(task);
      }
      active.decrementAndGet();
    } while ((!queue.isEmpty() || !owned.isEmpty()) && active.compareAndSet(0, 1));
  }

  private @Nullable Runnable next() {
    Runnable task = queue.poll();
    return task == null ? owned.poll() : task;
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable t) { // an application's callback threw; the others must still run
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, t);
    }
  }
}
