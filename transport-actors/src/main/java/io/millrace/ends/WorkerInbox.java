package io.millrace.ends;

/** Takes back what a worker handed out. Any thread. */
@FunctionalInterface
public interface WorkerInbox {
  /**
   * Gives back what the worker itself handed out. It is refused only after the worker's end: what
   * is handed out is bounded, so this is bounded too.
   */
  void giveBack(Submission submission);
}
