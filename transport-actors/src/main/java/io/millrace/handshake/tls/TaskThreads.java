package io.millrace.handshake.tls;

import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few threads for the long tasks of handshakes. The oldest handshake's task goes first: in a
 * crowd a part of the handshakes ends in time, where turns for all would end no handshake. Idle
 * threads end, and the number of waiting tasks is bounded. Tasks come from a single thread.
 */
final class TaskThreads implements AutoCloseable {
  private static final long IDLE_S = 10;

  private final ThreadPoolExecutor pool;
  private final int most;

  private record Task(long age, Runnable work) implements Runnable, Comparable<Task> {
    @Override
    public void run() {
      work.run();
    }

    @Override
    public int compareTo(Task other) {
      return Long.compare(age, other.age);
    }
  }

  TaskThreads(String name, TlsLimits limits) {
    AtomicInteger number = new AtomicInteger();
    most = limits.inbound() + limits.initiations();
    pool =
        new ThreadPoolExecutor(
            limits.taskThreads(),
            limits.taskThreads(),
            IDLE_S,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + "-task-" + number.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
  }

  /**
   * Runs a task on a thread of the pool.
   *
   * @param age the number of the task's handshake; earlier handshakes have smaller numbers
   * @return false if too much waits, or after closing
   */
  boolean execute(long age, Runnable work) {
    if (pool.getQueue().size() >= most) {
      return false;
    }
    try {
      pool.execute(new Task(age, work));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Tasks that have not begun are dropped. */
  @Override
  public void close() {
    var _ = pool.shutdownNow();
  }
}
