package io.millrace.ends;

import java.util.ArrayDeque;

/**
 * Runs the work of bodies on the thread that gives it, before {@link #give} returns; a task that is
 * given by a running task follows when that has ended. For one thread, which drives a path by hand.
 */
public final class InlineBodyWork implements BodyWork {
  private final ArrayDeque<LaneTask> tasks = new ArrayDeque<>();
  private boolean isRunning;

  @Override
  public void give(LaneTask task) {
    tasks.addLast(task);
    if (isRunning) {
      return;
    }
    isRunning = true;
    LaneTask next;
    while ((next = tasks.pollFirst()) != null) {
      ExecutorLane.run(next);
    }
    isRunning = false;
  }

  @Override
  public void giveWork(LaneTask task) {
    give(task);
  }

  @Override
  public int waiting() {
    return tasks.size();
  }
}
