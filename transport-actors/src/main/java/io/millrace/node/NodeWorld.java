package io.millrace.node;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;

/**
 * The world that a node lives in, as far as an application may need the world: the process, or a
 * simulated node, which {@code testkit} gives. No other worlds exist. Any thread.
 */
public interface NodeWorld {
  /** Creates an executor of the node's own; the caller shuts the executor down. */
  ExecutorService newExecutor(int threads);

  /** Completes tasks that other executors refuse; never refuses a task. */
  Executor lastResort();

  /**
   * Waits for a future, as {@link Future#get(long, java.util.concurrent.TimeUnit)} does; in a
   * simulation in virtual time. Not on a worker's thread.
   */
  <T> T await(Future<T> future, long timeoutNs)
      throws InterruptedException, ExecutionException, TimeoutException;
}
