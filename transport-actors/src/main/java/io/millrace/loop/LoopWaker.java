package io.millrace.loop;

/**
 * Told whenever another thread has put something where the loop will look. Called by any thread,
 * often: the call must be cheap when the loop is awake, and must not block.
 */
@FunctionalInterface
public interface LoopWaker {
  /** For loops that never sleep. */
  LoopWaker NONE = () -> {};

  /** The loop has something to do. */
  void wakeUp();
}
