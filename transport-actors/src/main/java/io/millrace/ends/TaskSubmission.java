package io.millrace.ends;

import io.millrace.transfer.CallOutcome;

/**
 * A task for the worker's thread, from another. Nothing comes of it once the worker is gone, unless
 * something is to be done then in its place.
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
   * @param refused done in its place once the worker is gone; any thread
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
