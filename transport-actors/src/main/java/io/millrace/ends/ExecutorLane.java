package io.millrace.ends;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The way from workers to the application's executor: a queue, bounded and in the order of
 * priorities, that at most {@code parallelism} drains, tasks of the executor, empty. A worker wakes
 * the executor only when nobody empties the queue or the queue grows, so a burst costs a single
 * hand-over and not a hand-over for each task. A drain inside a task of unknown length ({@link
 * LaneTask#mayBlock}) empties nothing: waiting tasks then get another drain. Any thread.
 *
 * <p>Tasks that wait for devices have a lane of their own, if the node has such a lane, and so do
 * requests of peers. Requests that hang, or that wait for a call whose completion runs here, leave
 * this lane its threads.
 *
 * <p>When the executor refuses and nobody empties the queue, the refused thread tells all waiting
 * tasks, so that no task is left behind without a thread.
 */
public final class ExecutorLane implements BodyWork {
  private static final int BACKLOG_PER_DRAIN = 16;
  private static final int INSIDE = 1 << Short.SIZE;
  private static final int RUNNING = INSIDE - 1;

  private final Executor executor;
  private final Executor lastResort;
  private final int parallelism;

  /** Drains at once, including drains inside a task. */
  private final int mostDrains;

  private final @Nullable ExecutorLane devices;
  private final ExecutorLane requests;
  private final LaneQueue queue;
  private final ConcurrentLinkedQueue<LaneTask> owned = new ConcurrentLinkedQueue<>();
  private final CompletionPlaces places;

  /**
   * Drains that run or were handed to the executor; times {@link #INSIDE}, the drains inside a
   * task.
   */
  private final AtomicInteger drains = new AtomicInteger();

  private final Runnable drain = this::drain;

  /** A lane to {@code executor} that holds {@code capacity} tasks, and as many reserved places. */
  public ExecutorLane(Executor executor, int capacity, int parallelism) {
    this(executor, capacity, parallelism, ForkJoinPool.commonPool());
  }

  /** As above, with an executor for refused tasks that cannot run on the refused thread. */
  public ExecutorLane(Executor executor, int capacity, int parallelism, Executor lastResort) {
    this(executor, capacity, parallelism, lastResort, null);
  }

  /** As above, with a lane for tasks that wait for devices; null for this lane. */
  public ExecutorLane(
      Executor executor,
      int capacity,
      int parallelism,
      Executor lastResort,
      @Nullable ExecutorLane devices) {
    this(executor, capacity, Threads.fixed(parallelism), lastResort, devices, null);
  }

  /** As below, without a least part of the turns for each priority. */
  public ExecutorLane(
      Executor executor,
      int capacity,
      Threads threads,
      Executor lastResort,
      @Nullable ExecutorLane devices,
      @Nullable ExecutorLane requests) {
    this(executor, capacity, threads, lastResort, devices, requests, 0);
  }

  /**
   * As above, with a lane for the requests of peers; null for this lane.
   *
   * @param capacity waiting tasks of each priority
   * @param threads the number of drains that the lane may have
   * @param leastPercent the part of the turns that each priority has at least
   */
  public ExecutorLane(
      Executor executor,
      int capacity,
      Threads threads,
      Executor lastResort,
      @Nullable ExecutorLane devices,
      @Nullable ExecutorLane requests,
      int leastPercent) {
    this.devices = devices;
    this.requests = requests == null ? this : requests;
    this.lastResort = lastResort;
    this.executor = executor;
    parallelism = Math.min(threads.parallelism(), Short.MAX_VALUE);
    mostDrains = threads.grow() ? Short.MAX_VALUE : parallelism;
    places = new CompletionPlaces(capacity);
    queue = new LaneQueue(capacity, new AdmissionTurns(leastPercent));
  }

  /**
   * The number of drains of a lane.
   *
   * @param parallelism drains that empty the queue at once
   * @param grow whether drains inside a task that may block are not counted, because the executor
   *     itself bounds how many of its threads run
   */
  public record Threads(int parallelism, boolean grow) {
    /** This number of drains, inside or outside tasks. */
    public static Threads fixed(int parallelism) {
      return new Threads(parallelism, false);
    }

    /**
     * This number of drains that empty the queue, for an executor that replaces waiting threads.
     */
    public static Threads growing(int parallelism) {
      return new Threads(parallelism, true);
    }
  }

  /**
   * Hands a request of a peer to the lane for requests; does not throw.
   *
   * @return false when that lane is full; then the task is told nothing
   */
  public boolean offer(LaneTask task) {
    return requests.take(task);
  }

  private boolean take(LaneTask task) {
    if (!queue.offer(task)) {
      return false;
    }
    wake();
    return true;
  }

  /**
   * Hands over an owned task that waits at most once (a body's work, the completion of a call that
   * reserved its place). The lane is never full for such a task, because the number of owners is
   * the bound.
   */
  @Override
  public void give(LaneTask task) {
    ExecutorLane lane = of(task);
    lane.add(task);
    lane.wake();
  }

  /**
   * The number of requests of this priority that the lane for requests still takes; other threads
   * may use the room meanwhile.
   */
  public int requestRoom(int priority) {
    return requests.queue.room(priority);
  }

  /** Tasks that wait for a thread, requests included, except tasks with a place of their own. */
  @Override
  public int waiting() {
    int own = queue.size();
    return requests == this ? own : own + requests.queue.size();
  }

  private ExecutorLane of(LaneTask task) {
    ExecutorLane other = devices;
    return other != null && task.waitsForDevice() ? other : this;
  }

  /** As {@link #give}, for tasks long enough that another thread should take up the next task. */
  @Override
  public void giveWork(LaneTask task) {
    of(task).takeWork(task);
  }

  private void takeWork(LaneTask task) {
    add(task);
    int seen = drains.get();
    if (hasRoom(seen) && drains.compareAndSet(seen, seen + 1)) {
      start();
    } else {
      wake();
    }
  }

  /** The executor for tasks refused on a thread on which they must not run. */
  public Executor lastResort() {
    return lastResort;
  }

  private void add(LaneTask task) {
    if (!queue.offer(task)) {
      owned.add(task);
    }
  }

  /** Reserves a place for a task that will be given; false when all places are taken. */
  public boolean reserve() {
    return places.tryTake();
  }

  /** Takes a place even without a free place, for a task that could not wait for a place. */
  public void takePlace() {
    places.take();
  }

  /** Gives a reserved place back: the place's task runs, or will never be given. */
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

  /** Counts a further drain, if a drain is wanted. */
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
    int emptying = emptying(seen);
    return hasRoom(seen) && (emptying == 0 || queue.size() > emptying * BACKLOG_PER_DRAIN);
  }

  private boolean hasRoom(int seen) {
    return (seen & RUNNING) < mostDrains && emptying(seen) < parallelism;
  }

  private static int emptying(int seen) {
    return (seen & RUNNING) - seen / INSIDE;
  }

  private void start() {
    try {
      executor.execute(drain);
    } catch (Throwable t) { // shut down, full, or no thread to be had: the tasks are told instead
      onRefused();
    }
  }

  /**
   * This drain is counted and the executor has not taken the drain; a running drain will do its
   * work.
   */
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
      } catch (Throwable t) { // the other tasks must still be told
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

  static void run(LaneTask task) {
    try {
      task.run();
    } catch (Throwable t) { // an application's callback threw; the other tasks must still run
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

  /** Tells the thread's handler of a failure that nobody else learns of. */
  public static void report(Throwable failure) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (Throwable t) {
      // The application's own handler threw when told; nobody is left to tell.
      return;
    }
  }
}
