package io.millrace.actor.submission;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A task of a lane that is scheduled again and again: however often and from wherever, its turns
 * run one at a time, and after the last time there is at least one more. Scheduling is for any
 * thread.
 */
public abstract class RepeatedTask implements LaneTask {
  private final ExecutorLane lane;
  private final AtomicInteger scheduled = new AtomicInteger();

  /** A task that was not scheduled yet. */
  protected RepeatedTask(ExecutorLane lane) {
    this.lane = lane;
  }

  /** There may be something to do. */
  protected final void schedule() {
    if (scheduled.getAndIncrement() == 0) {
      lane.giveWork(this);
    }
  }

  @Override
  public final void run() {
    int seen;
    do {
      seen = scheduled.get();
      onTurn();
    } while (scheduled.addAndGet(-seen) != 0);
  }

  @Override
  public final void onRejected() {
    scheduled.set(0);
    onRefused();
  }

  /** Does what there is to do. On the executor. */
  protected abstract void onTurn();

  /** The executor refuses: there may never be a turn again. As {@link LaneTask#onRejected}. */
  protected abstract void onRefused();
}
