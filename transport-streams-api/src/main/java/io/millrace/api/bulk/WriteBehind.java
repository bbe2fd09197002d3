package io.millrace.api.bulk;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads of the process that write and force blocks of files beside the threads that fill
 * these blocks. No task ever waits for a thread: with all threads busy, the caller works alone.
 */
final class WriteBehind {
  private static final int MOST_THREADS = 16;
  private static final long IDLE_SECONDS = 1;
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private static final ThreadPoolExecutor THREADS =
      new ThreadPoolExecutor(
          0,
          MOST_THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task -> {
            Thread thread = new Thread(task, "millrace-file-" + NUMBER.getAndIncrement());
            thread.setDaemon(true);
            return thread;
          });

  /** A part of the work on a file. */
  interface Task {
    void run() throws IOException;
  }

  private WriteBehind() {}

  /** Begins a task on another thread; returns null, with nothing begun, if no thread is free. */
  static @Nullable Future<?> tryBegin(Task task) {
    FutureTask<@Nullable Void> begun =
        new FutureTask<>(
            () -> {
              task.run();
              return null;
            });
    try {
      THREADS.execute(begun);
      return begun;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // without memory for a thread, the caller's thread does the work as well
      return null;
    }
  }

  /**
   * Waits for the end of a task, as long as the device takes: the task uses memory and a file of
   * the caller. An interrupt stays set, and does not end this wait.
   *
   * @throws IOException the failure of the task, on every call
   */
  static void await(Future<?> task) throws IOException {
    boolean isInterrupted = false;
    try {
      while (!task.isDone()) {
        try {
          task.get();
        } catch (InterruptedException e) {
          isInterrupted = true;
        } catch (ExecutionException e) {
          break;
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (task.state() == Future.State.FAILED) {
      Throwable failure = task.exceptionNow();
      throw failure instanceof IOException told ? told : new IOException(failure);
    }
  }
}
