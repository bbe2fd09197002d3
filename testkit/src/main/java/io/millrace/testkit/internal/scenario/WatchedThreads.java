package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Simulation threads whose caller watches their runs in real time. A run out of time has to end
 * after its present event, and no further run begins. A thread that does not react is left behind;
 * as a daemon, such a thread keeps no process alive. The watch reads nothing that a run could
 * notice, and touches no run within its time.
 */
final class WatchedThreads {
  private static final long GRACE_NS = 5_000_000_000L;

  /** The work of a thread. */
  interface Work {
    /** Runs on a simulation thread. */
    void run(RunWatch watch) throws Exception;
  }

  /** Receives each run that does not end and whose thread is left behind. */
  interface Abandoned {
    /** Called on the watching thread. */
    void accept(RunSettings settings, SimViolation violation);
  }

  private final Duration patience;
  private final Abandoned abandoned;
  private final List<RunWatch> watches = new ArrayList<>();

  /** A permit for each thread after its end. */
  private final Semaphore ended = new Semaphore(0);

  private WatchedThreads(Duration patience, Abandoned abandoned) {
    this.patience = patience;
    this.abandoned = abandoned;
  }

  /**
   * Lets this many threads do the work, and waits for the threads.
   *
   * @param patience real time of a run at most; zero is for ever
   * @throws InterruptedException if the calling thread is interrupted, naming the runs under way;
   *     this method does not wait for these runs
   */
  static void run(int threads, Duration patience, Work work, Abandoned abandoned)
      throws InterruptedException {
    WatchedThreads all = new WatchedThreads(patience, abandoned);
    for (int i = 0; i < threads; i++) {
      RunWatch watch = new RunWatch();
      all.watches.add(watch);
      SimThread.start(() -> all.work(work, watch));
    }
    all.watch();
  }

  private void work(Work work, RunWatch watch) {
    Throwable failure = null;
    try {
      work.run(watch);
    } catch (Exception | Error e) {
      failure = e;
    }
    watch.onOver(failure);
    ended.release();
  }

  private void watch() throws InterruptedException {
    try {
      while (awaitSomething()) {
        endLate();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    for (RunWatch watch : watches) {
      Throwable failure = watch.failure();
      if (failure != null) {
        throw new IllegalStateException("a simulation thread failed", failure);
      }
    }
  }

  /**
   * Waits for the end of a thread, at most until a run may be out of time; false if all threads
   * have ended.
   */
  private boolean awaitSomething() throws InterruptedException {
    if (isFailed()) {
      stop();
    }
    if (watches.stream().allMatch(RunWatch::isOver)) {
      return false;
    }
    var _ = ended.tryAcquire(leastLeftNs(), TimeUnit.NANOSECONDS);
    return true;
  }

  private boolean isFailed() {
    return watches.stream().anyMatch(watch -> watch.failure() != null);
  }

  private void stop() {
    watches.forEach(RunWatch::stop);
  }

  private long leftNs(CurrentRun run) {
    return patience.isZero() ? Long.MAX_VALUE : patience.toNanos() - run.elapsedNs();
  }

  /** Returns the least time left of all runs. A run that begins later has its full time. */
  private long leastLeftNs() {
    long leastNs = patience.isZero() ? Long.MAX_VALUE : patience.toNanos();
    for (RunWatch watch : watches) {
      CurrentRun run = watch.underWay();
      if (run != null && !watch.isOver()) {
        leastNs = Math.min(leastNs, leftNs(run));
      }
    }
    return leastNs;
  }

  /** Ends the runs out of time: first cuts all these runs short, and then waits for each run. */
  private void endLate() throws InterruptedException {
    List<Late> late = new ArrayList<>();
    for (RunWatch watch : watches) {
      CurrentRun run = watch.underWay();
      if (run != null && !watch.isOver() && leftNs(run) <= 0) {
        SimViolation violation = run.violation(patience);
        if (run.cutShort(violation)) {
          stop();
          late.add(new Late(watch, run, violation));
        }
      }
    }
    long startNs = System.nanoTime();
    for (Late each : late) {
      if (!each.run.awaitEnd(GRACE_NS - (System.nanoTime() - startNs))) {
        abandoned.accept(each.run.settings(), each.violation);
        each.watch.onOver(null);
      }
    }
  }

  private record Late(RunWatch watch, CurrentRun run, SimViolation violation) {}

  private InterruptedException interrupted(InterruptedException cause) {
    stop();
    List<Throwable> where = new ArrayList<>();
    StringBuilder text = new StringBuilder("while simulations ran:");
    for (RunWatch watch : watches) {
      CurrentRun run = watch.underWay();
      if (run != null && !watch.isOver()) {
        where.add(run.where());
        text.append(' ').append(run).append(';');
        var _ = run.cutShort(run.violation(patience));
      }
    }
    InterruptedException named = new InterruptedException(text.substring(0, text.length() - 1));
    named.initCause(cause);
    where.forEach(named::addSuppressed);
    return named;
  }
}
