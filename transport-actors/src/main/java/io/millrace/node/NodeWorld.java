package io.millrace.node;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;

/**
 * The world that a node lives in, with what an application may want of it: the process, or a
 * simulated node, which {@code testkit} gives. There are no others. Any thread.
 */
public interface NodeWorld {
  /** An executor of the node's own; who asked for it shuts it down. */
  ExecutorService newExecutor(int threads);

  /** Completes what other executors refuse; never refuses itself. */
  Executor lastResort();

  /**
   * Waits for a future, as {@link Future#get(long, java.util.concurrent.TimeUnit)} does; in a
   * simulation in virtual time. Not on a worker's thread.
   */
  <T> T await(Future<T> future, long timeoutNs)
      throws InterruptedException, ExecutionException, TimeoutException;
}
