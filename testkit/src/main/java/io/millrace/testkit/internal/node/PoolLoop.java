package io.millrace.testkit.internal.node;

import io.millrace.loop.EventLoop;
import io.millrace.testkit.sim.Draws;
import org.jspecify.annotations.Nullable;

/**
 * A pool of threads as a virtual processor: one task a turn, in the order of their coming or in any
 * order, as the node's settings say.
 */
final class PoolLoop extends SimLoop {
  private static final int INITIAL = 64;
  private static final Runnable GONE = PoolLoop::gone;

  private final @Nullable Draws order;

  /** A ring; its length is a power of two. */
  private Runnable[] tasks = new Runnable[INITIAL];

  private int head;
  private int size;
  private long taken;

  PoolLoop(NodeLife life, Host host, String id, int number, Draws order) {
    super(life, host, id, number);
    this.order = life.settings().isOrderRandom() ? order : null;
  }

  /** Adds a task; an ended life drops the task. */
  void execute(Runnable task) {
    life().simulation().requireThread();
    if (life().isOver()) {
      return;
    }
    if (size == tasks.length) {
      grow();
    }
    tasks[head + size++ & tasks.length - 1] = task;
    wake();
  }

  /** Runs all waiting tasks at once; the start of an actor system waits for these tasks. */
  void pump() {
    while (size > 0) {
      run(take());
    }
  }

  @Override
  void turn() {
    if (size > 0) {
      run(take());
    }
  }

  @Override
  long nextTurnNs() {
    return size > 0 ? nowNs() : NEVER;
  }

  @Override
  int waiting() {
    return size;
  }

  @Override
  boolean hasUnseenWork() {
    return false;
  }

  @Override
  void clear() {
    tasks = new Runnable[1];
    head = 0;
    size = 0;
  }

  @Override
  boolean mayNest() {
    return true;
  }

  @Override
  public @Nullable EventLoop eventLoop() {
    return null;
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) {
      life().onEscaped(id(), failure);
    }
  }

  private Runnable take() {
    int mask = tasks.length - 1;
    int from = head & mask;
    if (order != null && size > 1) {
      int chosen = head + (int) order.below(entity(), taken, size) & mask;
      Runnable task = tasks[chosen];
      tasks[chosen] = tasks[from];
      tasks[from] = task;
    }
    taken++;
    Runnable task = tasks[from];
    tasks[from] = GONE;
    head = from + 1 & mask;
    size--;
    return task;
  }

  private void grow() {
    Runnable[] grown = new Runnable[2 * size];
    for (int i = 0; i < size; i++) {
      grown[i] = tasks[head + i & size - 1];
    }
    tasks = grown;
    head = 0;
  }

  /** Stands in an empty place of the ring. */
  private static void gone() {}
}
