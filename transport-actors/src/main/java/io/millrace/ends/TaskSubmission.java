package io.millrace.ends;

import io.millrace.transfer.CallOutcome;

/**
 * A task for the worker's thread, from another. After the worker's end the task does not run; the
 * replacement, if given, runs.
 */
public final class TaskSubmission implements Submission {
  private final int priority;
  private final Runnable task;
  private final Runnable refused;

  /** A task for the ring of this priority. */
  public TaskSubmission(int priority, Runnable task) {
    this(priority, task, () -> {});
  }

  /**
   * A task for the ring of this priority.
   *
   * @param refused the replacement after the worker's end; any thread
   */
  public TaskSubmission(int priority, Runnable task, Runnable refused) {
    this.priority = priority;
    this.task = task;
    this.refused = refused;
  }

  @Override
  public int priority() {
    return priority;
  }

  @Override
  public void onTaken(long nowNs) {
    task.run();
  }

  @Override
  public void onRefused(CallOutcome outcome, String text) {
    refused.run();
  }
}
