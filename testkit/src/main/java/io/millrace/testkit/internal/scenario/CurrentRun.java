package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A run under way on a thread. This thread begins and ends the run; the watching thread asks for
 * the state and cuts the run short.
 */
final class CurrentRun {
  /** The rule broken by a run that takes too long. */
  static final String RULE = "real time";

  private static final int MOST_FRAMES = 60;

  private final RunSettings settings;
  private final Simulation simulation;
  private final Thread thread = Thread.currentThread();
  private final long startNs = System.nanoTime();
  private final CountDownLatch end = new CountDownLatch(1);
  private @Nullable SimViolation cut;
  private boolean isEnded;

  CurrentRun(RunSettings settings, Simulation simulation) {
    this.settings = settings;
    this.simulation = simulation;
  }

  RunSettings settings() {
    return settings;
  }

  /** Returns the time since the run began, real ns. */
  long elapsedNs() {
    return System.nanoTime() - startNs;
  }

  /** Ends the run; returns why the run was cut short, or null, which then stays so. */
  synchronized @Nullable SimViolation onEnd() {
    isEnded = true;
    end.countDown();
    return cut;
  }

  boolean awaitEnd(long limitNs) throws InterruptedException {
    return end.await(limitNs, TimeUnit.NANOSECONDS);
  }

  /**
   * Makes the run end after its present event, and wakes the run's thread from any wait.
   *
   * @return false if the run has ended in time after all
   */
  synchronized boolean cutShort(SimViolation why) {
    if (isEnded) {
      return false;
    }
    cut = why;
    simulation.abort(why);
    thread.interrupt();
    return true;
  }

  /** Returns an exception with the present stack of the run's thread. */
  Throwable where() {
    Throwable where = new IllegalStateException(toString());
    where.setStackTrace(thread.getStackTrace());
    return where;
  }

  /**
   * Describes how the run breaks the rule; virtual time goes on while this method reads the time.
   */
  SimViolation violation(Duration patience) {
    StringBuilder text = new StringBuilder("the run was ended after ");
    text.append(patience.toMillis())
        .append(" ms of real time, the patience with one run, and broke no other rule until then:")
        .append(" the run does not end, or the machine is slow; -D")
        .append(SimRunner.PATIENCE)
        .append("=SECONDS gives more time, 0 without an end; its thread is");
    StackTraceElement[] stack = thread.getStackTrace();
    for (int i = 0; i < Math.min(stack.length, MOST_FRAMES); i++) {
      text.append("\n    at ").append(stack[i]);
    }
    if (stack.length > MOST_FRAMES) {
      text.append("\n    and ").append(stack.length - MOST_FRAMES).append(" more");
    }
    return new SimViolation(settings.seed(), simulation.nowNs(), RULE, text.toString(), null);
  }

  @Override
  public String toString() {
    String keep = settings.keep().isAll() ? "" : " " + settings.keep();
    return "seed " + settings.seed() + keep + " at " + simulation.nowNs() + " ns";
  }
}
