package io.millrace.testkit.internal.node;

import io.millrace.testkit.internal.patch.SimulatedExecutor;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** A simulated pool as an executor service. Simulation thread only. */
final class PoolService extends AbstractExecutorService implements SimulatedExecutor {
  private final LifeLoops loops;
  private final PoolLoop loop;
  private boolean isShutdown;

  PoolService(LifeLoops loops, PoolLoop loop) {
    this.loops = loops;
    this.loop = loop;
  }

  @Override
  public void execute(Runnable task) {
    if (isShutdown) {
      throw new RejectedExecutionException("the simulated pool " + loop.id() + " is shut down");
    }
    loop.execute(task);
  }

  @Override
  public void shutdown() {
    isShutdown = true;
  }

  /** Accepted tasks still run: a mailbox that did not run would leave its actor asleep for ever. */
  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return isShutdown;
  }

  @Override
  public boolean isTerminated() {
    return isShutdown && loop.waiting() == 0;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return loops.runUntil(this::isTerminated, unit.toNanos(timeout));
  }
}
