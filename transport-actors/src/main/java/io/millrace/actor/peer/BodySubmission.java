package io.millrace.actor.peer;

import io.millrace.actor.submission.Submission;
import io.millrace.protocol.transfer.CallOutcome;

/** Something that the executor has to tell the worker about a body. */
final class BodySubmission implements Submission {
  private final int priority;
  private final Runnable task;

  BodySubmission(int priority, Runnable task) {
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
