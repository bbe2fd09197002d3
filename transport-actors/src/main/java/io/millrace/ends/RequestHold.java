package io.millrace.ends;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Memory set aside for a request that came as a body or opened a stream. The memory stays until
 * each owner has let go: the path, and the executor once the executor has a task with the request.
 * Any thread.
 */
public final class RequestHold {
  private final RequestBudget.Share share;
  private final long bytes;
  private final AtomicInteger owners = new AtomicInteger(1);

  /** The priority of the task; written before the task is handed over. */
  private int level;

  RequestHold(RequestBudget.Share share, long bytes) {
    this.share = share;
    this.bytes = bytes;
  }

  /** Passes the memory on to the caller, the only owner from here on. */
  public long take() {
    int before = owners.getAndSet(0);
    assert before == 1 : before;
    return bytes;
  }

  /**
   * Hands a task with the request over to the executor, which owns the memory, too, from here on;
   * then {@link #onTaken} and {@link #release} follow.
   *
   * @return the reason of a refusal, or null
   */
  public @Nullable String handOver(ExecutorLane lane, LaneTask task) {
    owners.incrementAndGet();
    level = task.level();
    String problem = share.handOver(lane, task);
    if (problem != null) {
      release();
    }
    return problem;
  }

  /** The task has left the executor's queue. */
  public void onTaken() {
    share.onTaken(level);
  }

  /** An owner of the memory needs the memory no more. */
  public void release() {
    int left = owners.decrementAndGet();
    assert left >= 0 : left;
    if (left == 0) {
      share.giveBack(bytes);
    }
  }
}
