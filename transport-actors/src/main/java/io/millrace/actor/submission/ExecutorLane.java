package io.millrace.actor.submission;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The way from workers to the application's executor: a bounded queue that at most {@code
 * parallelism} tasks of the executor empty. A worker wakes the executor only when nobody empties
 * the queue or it grows, so a burst costs one hand-over and not one for each call. Any thread.
 *
 * <p>When the executor refuses and nobody empties the queue, whoever was refused tells all tasks
 * that wait, so that none is left behind without a thread.
 */
public final class ExecutorLane {
  private static final int BACKLOG_PER_TASK = 16;

  private final Executor executor;
  private final Executor lastResort;
  private final int parallelism;
  private final int capacity;
  private final ManyToManyConcurrentArrayQueue<LaneTask> queue;
  private final ConcurrentLinkedQueue<LaneTask> owned = new ConcurrentLinkedQueue<>();
  private final AtomicInteger reserved = new AtomicInteger();
  private final AtomicInteger active = new AtomicInteger();
  private final Runnable drain = this::drain;

  /** A lane to {@code executor} that holds {@code capacity} tasks, and as many reserved places. */
  public ExecutorLane(Executor executor, int capacity, int parallelism) {
    this(executor, capacity, parallelism, ForkJoinPool.commonPool());
  }

  /** As above, with where tasks that were refused and cannot run where they are may run. */
  public ExecutorLane(Executor executor, int capacity, int parallelism, Executor lastResort) {
    this.lastResort = lastResort;
    this.executor = executor;
    this.parallelism = parallelism;
    this.capacity = capacity;
    queue = new ManyToManyConcurrentArrayQueue<>(capacity);
  }

  /**
   * Hands a task over; it does not throw.
   *
   * @return false when the lane is full; then the task is told nothing
   */
  public boolean offer(LaneTask task) {
    if (!queue.offer(task)) {
      return false;
    }
    wake();
    return true;
  }

  /**
   * Hands over a task that somebody owns and that waits at most once (a body's work, the completion
   * of a call that reserved its place): the lane is never full for it, because the number of owners
   * is the bound.
   */
  public void give(LaneTask task) {
    add(task);
    wake();
  }

  /** As {@link #give}, for tasks long enough that another thread should take up the next one. */
  public void giveWork(LaneTask task) {
    add(task);
    int running = active.get();
    if (running < parallelism && active.compareAndSet(running, running + 1)) {
      start();
    }
  }

  /** Where a task may run that was refused on a thread on which it must not run. */
  public Executor lastResort() {
    return lastResort;
  }

  private void add(LaneTask task) {
    if (!queue.offer(task)) {
      owned.add(task);
    }
  }

  /** Reserves a place for one task that will be given; false when all are taken. */
  public boolean reserve() {
    if (reserved.incrementAndGet() > capacity) {
      reserved.decrementAndGet();
      return false;
    }
    return true;
  }

  /** Gives a reserved place back: its task runs, or there will be none. */
  public void unreserve() {
    reserved.decrementAndGet();
  }

  private void wake() {
    int running = active.get();
    if (isDrainerWanted(running) && active.compareAndSet(running, running + 1)) {
      start();
    }
  }

  private boolean isDrainerWanted(int running) {
    return running == 0 || (running < parallelism && queue.size() > running * BACKLOG_PER_TASK);
  }

  private void start() {
    try {
      executor.execute(drain);
    } catch (Throwable t) { // shut down, full, or no thread to be had: the tasks are told instead
      onRefused();
    }
  }

  /** This thread counts as active and the executor has not taken its drain. */
  private void onRefused() {
    do {
      if (active.get() == 1) {
        rejectAll();
      }
    } while (active.decrementAndGet() == 0 && !isEmpty() && active.compareAndSet(0, 1));
  }

  private void rejectAll() {
    LaneTask task;
    while ((task = next()) != null) {
      try {
        task.onRejected();
      } catch (Throwable t) { // the others must still be told
        report(t);
      }
    }
  }

  private void drain() {
    do {
      LaneTask task;
      while ((task = next()) != null) {
        try {
          task.run();
        } catch (Throwable t) { // an application's callback threw; the others must still run
          report(t);
        }
      }
      active.decrementAndGet();
    } while (!isEmpty() && active.compareAndSet(0, 1));
  }

  private @Nullable LaneTask next() {
    LaneTask task = queue.poll();
    return task == null ? owned.poll() : task;
  }

  private boolean isEmpty() {
    return queue.isEmpty() && owned.isEmpty();
  }

  /** Tells the thread's handler of what nobody else learns of. */
  public static void report(Throwable failure) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (Throwable t) {
      // The application's own handler threw while it was told; there is nobody left to tell.
      return;
    }
  }
}
