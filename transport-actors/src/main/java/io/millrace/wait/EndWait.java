package io.millrace.wait;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The wait of a close for the end of a part. An interrupt does not shorten the wait: each wait has
 * a limit, and nothing of a closed node is to be left. The calling thread is interrupted again at
 * the end of the wait. Control plane; any thread.
 */
public final class EndWait {
  private EndWait() {}

  /** Waits once. */
  @FunctionalInterface
  public interface Attempt {
    /**
     * Waits so long.
     *
     * @return whether the part has ended
     */
    boolean await(long timeoutNs) throws InterruptedException;
  }

  /**
   * Waits for the end of a thread, {@code limitNs} ns at most; returns whether the thread has
   * ended. A thread that was not started has not, and is not waited for.
   */
  public static boolean await(Thread thread, long limitNs) {
    return await(
        System::nanoTime,
        limitNs,
        timeoutNs ->
            thread.getState() != Thread.State.NEW && thread.join(Duration.ofNanos(timeoutNs)));
  }

  /**
   * Waits for the end of an executor that was shut down, {@code limitNs} ns at most; returns
   * whether the executor has ended.
   */
  public static boolean await(ExecutorService executor, long limitNs) {
    return await(
        System::nanoTime,
        limitNs,
        timeoutNs -> executor.awaitTermination(timeoutNs, TimeUnit.NANOSECONDS));
  }

  /**
   * Waits by further attempts after each interrupt, until the limit.
   *
   * @param clock the time, ns
   * @param limitNs the longest wait, ns; an attempt after the limit looks once, without waiting
   * @return the answer of the last attempt
   */
  public static boolean await(LongSupplier clock, long limitNs, Attempt attempt) {
    long deadlineNs = clock.getAsLong() + limitNs;
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return attempt.await(Math.max(0, deadlineNs - clock.getAsLong()));
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
