package io.millrace.testkit.internal.node;

import io.millrace.loop.LoopBody;
import io.millrace.testkit.internal.patch.SimulatedExecutor;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** A simulated worker's loop as the executor service for Pekko's dispatcher. */
final class WorkerService extends AbstractExecutorService implements SimulatedExecutor {
  private final LifeLoops loops;
  private final LoopBody body;

  WorkerService(LifeLoops loops, WorkerLoop loop) {
    this.loops = loops;
    this.body = loop.body();
  }

  @Override
  public void execute(Runnable task) {
    loops.life().simulation().requireThread();
    if (!loops.life().isOver()) {
      body.execute(task);
    }
  }

  @Override
  public void shutdown() {
    body.close();
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return body.isClosing();
  }

  @Override
  public boolean isTerminated() {
    return body.isClosed();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return loops.runUntil(body::isClosed, unit.toNanos(timeout));
  }
}
