package io.millrace.ends;

/** Takes back objects that a worker handed out. Any thread. */
@FunctionalInterface
public interface WorkerInbox {
  /**
   * Gives back an object that the worker itself handed out. The submission is refused only after
   * the worker's end: the number of handed-out objects is bounded, so these submissions are bounded
   * too.
   */
  void giveBack(Submission submission);
}
