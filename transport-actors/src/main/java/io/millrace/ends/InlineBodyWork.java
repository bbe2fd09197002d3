package io.millrace.ends;

import java.util.ArrayDeque;

/**
 * Runs the work of bodies on the thread that gives a task, before {@link #give} returns. A task
 * given by a running task follows after the end of the running task. For a single thread, which
 * drives a path by hand.
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
