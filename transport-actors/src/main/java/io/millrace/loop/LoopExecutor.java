package io.millrace.loop;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A loop as the executor service that Pekko's dispatcher asks for.
 *
 * <p>{@link #shutdown()} refuses new tasks; the loop's driver runs the accepted tasks, closes the
 * duty cycles and ends. {@link #shutdownNow()} does just the same: a mailbox that was accepted must
 * run.
 */
final class LoopExecutor extends AbstractExecutorService {
  private final LoopBody loop;
  private final @Nullable DrivenLoop caller;

  /** For a loop with a thread of its own, or, with {@code caller}, for a loop without a thread. */
  LoopExecutor(LoopBody loop, @Nullable DrivenLoop caller) {
    this.loop = loop;
    this.caller = caller;
  }

  /** The handle by which applications drive the loop; null for a loop with its own thread. */
  @Nullable DrivenLoop caller() {
    return caller;
  }

  /** The loop that executes the tasks. */
  LoopBody loop() {
    return loop;
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public void shutdown() {
    if (loop.close() && caller != null) {
      caller.startStandIn(loop);
    }
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return loop.isClosing();
  }

  @Override
  public boolean isTerminated() {
    return loop.isClosed();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return loop.awaitClosed(timeout, unit);
  }
}
