package io.millrace.ends;

/**
 * The place where the work of bodies runs: sealing, opening, and calls of sources and targets. The
 * implementation {@link ExecutorLane} uses the threads of an executor, and {@link InlineBodyWork}
 * uses the thread that gives a task. Each task is owned by a body that waits at most once, so the
 * number of bodies bounds the number of waiting tasks.
 */
public interface BodyWork {
  /** Hands a task over; the place is never full for a task. */
  void give(LaneTask task);

  /** As {@link #give}, for tasks long enough that another thread should take up the next task. */
  void giveWork(LaneTask task);

  /** Tasks that wait for a thread. */
  int waiting();
}
