package io.millrace.ends;

/**
 * Where the work of bodies runs: sealing, opening, and calls of sources and targets. Of its two
 * implementations {@link ExecutorLane} uses the threads of an executor, and {@link InlineBodyWork}
 * the thread that gives a task. Each task is owned by a body that waits at most once, so that the
 * number of bodies bounds what waits.
 */
public interface BodyWork {
  /** Hands a task over; it is never full. */
  void give(LaneTask task);

  /** As {@link #give}, for tasks long enough that another thread should take up the next one. */
  void giveWork(LaneTask task);

  /** Tasks that wait for a thread. */
  int waiting();
}
