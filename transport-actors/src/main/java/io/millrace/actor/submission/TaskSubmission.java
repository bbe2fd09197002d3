package io.millrace.actor.submission;

import io.millrace.transfer.CallOutcome;

/** A task for the worker's thread, from another. Nothing comes of it once the worker is gone. */
public final class TaskSubmission implements Submission {
  private final int priority;
  private final Runnable task;

  /** A task for the ring of this priority. */
  public TaskSubmission(int priority, Runnable task) {
    this.priority = priority;
    this.task = task;
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
    // The worker is gone and its paths with it.
  }
}
