package io.millrace.actor.submission;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The way from workers to the application's executor: a bounded queue that at most {@code
 * parallelism} drains, tasks of the executor, empty. A worker wakes the executor only when nobody
 * empties the queue or it grows, so a burst costs one hand-over and not one for each task. A drain
 * that is inside a task of unknown length ({@link LaneTask#mayBlock}) empties nothing: whatever
 * waits then gets another one. Any thread.
 *
 * <p>Tasks that wait for devices have a lane of their own, if there is one: as many of them as hang
 * leave this one its threads.
 *
 * <p>When the executor refuses and nobody empties the queue, whoever was refused tells all tasks
 * that wait, so that none is left behind without a thread.
 */
public final class ExecutorLane {
  private static final int BACKLOG_PER_DRAIN = 16;
  private static final int INSIDE = 1 << Short.SIZE;
  private static final int RUNNING = INSIDE - 1;

  private final Executor executor;
  private final Executor lastResort;
  private final int parallelism;
  private final @Nullable ExecutorLane devices;
  private final ManyToManyConcurrentArrayQueue<LaneTask> queue;
  private final ConcurrentLinkedQueue<LaneTask> owned = new ConcurrentLinkedQueue<>();
  private final CompletionPlaces places;

  /** Drains that run or were handed to the executor; times {@link #INSIDE}, those inside a task. */
  private final AtomicInteger drains = new AtomicInteger();

  private final Runnable drain = this::drain;

  /** A lane to {@code executor} that holds {@code capacity} tasks, and as many reserved places. */
  public ExecutorLane(Executor executor, int capacity, int parallelism) {
    this(executor, capacity, parallelism, ForkJoinPool.commonPool());
  }

  /** As above, with where tasks that were refused and cannot run where they are may run. */
  public ExecutorLane(Executor executor, int capacity, int parallelism, Executor lastResort) {
    this(executor, capacity, parallelism, lastResort, null);
  }

  /** As above, with where tasks go that wait for devices; null for here. */
  public ExecutorLane(
      Executor executor,
      int capacity,
      int parallelism,
      Executor lastResort,
      @Nullable ExecutorLane devices) {
    this.devices = devices;
    this.lastResort = lastResort;
    this.executor = executor;
    this.parallelism = Math.min(parallelism, Short.MAX_VALUE);
    places = new CompletionPlaces(capacity);
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
    ExecutorLane lane = of(task);
    lane.add(task);
    lane.wake();
  }

  /** Tasks that wait for a thread, but for those that have a place of their own. */
  public int waiting() {
    return queue.size();
  }

  private ExecutorLane of(LaneTask task) {
    ExecutorLane other = devices;
    return other != null && task.waitsForDevice() ? other : this;
  }

  /** As {@link #give}, for tasks long enough that another thread should take up the next one. */
  public void giveWork(LaneTask task) {
    of(task).takeWork(task);
  }

  private void takeWork(LaneTask task) {
    add(task);
    int seen = drains.get();
    if ((seen & RUNNING) < parallelism && drains.compareAndSet(seen, seen + 1)) {
      start();
    } else {
      wake();
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
    return places.tryTake();
  }

  /** Takes a place even if none is free, for a task that could not wait for one. */
  public void takePlace() {
    places.take();
  }

  /** Gives a reserved place back: its task runs, or there will be none. */
  public void unreserve() {
    places.giveBack();
  }

  /** The reserved places. */
  CompletionPlaces places() {
    return places;
  }

  private void wake() {
    if (enter()) {
      start();
    }
  }

  /** Counts one more drain, if one is wanted. */
  private boolean enter() {
    int seen = drains.get();
    while (isDrainWanted(seen)) {
      if (drains.compareAndSet(seen, seen + 1)) {
        return true;
      }
      seen = drains.get();
    }
    return false;
  }

  private boolean isDrainWanted(int seen) {
    int running = seen & RUNNING;
    int emptying = running - seen / INSIDE;
    return running < parallelism && (emptying == 0 || queue.size() > emptying * BACKLOG_PER_DRAIN);
  }

  private void start() {
    try {
      executor.execute(drain);
    } catch (Throwable t) { // shut down, full, or no thread to be had: the tasks are told instead
      onRefused();
    }
  }

  /** This drain is counted and the executor has not taken it; one that runs will do its work. */
  private void onRefused() {
    do {
      if ((drains.get() & RUNNING) == 1) {
        rejectAll();
      }
    } while ((drains.decrementAndGet() & RUNNING) == 0 && !isEmpty() && drains.compareAndSet(0, 1));
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
        if (task.mayBlock()) {
          runInside(task);
        } else {
          run(task);
        }
      }
      drains.decrementAndGet();
    } while (!isEmpty() && enter());
  }

  private void runInside(LaneTask task) {
    drains.addAndGet(INSIDE);
    if (!isEmpty()) {
      wake();
    }
    run(task);
    drains.addAndGet(-INSIDE);
  }

  private static void run(LaneTask task) {
    try {
      task.run();
    } catch (Throwable t) { // an application's callback threw; the others must still run
      report(t);
    }
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
