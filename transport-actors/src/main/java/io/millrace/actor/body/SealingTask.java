package io.millrace.actor.body;

import io.millrace.actor.submission.ExecutorLane;
import io.millrace.actor.submission.RepeatedTask;

/** Seals what belongs to no path, so that the node itself must end it. */
abstract class SealingTask extends RepeatedTask {
  /** A task that was not scheduled yet. */
  SealingTask(ExecutorLane lane) {
    super(lane);
  }

  /** The node ends. Any thread. */
  abstract void close();
}
