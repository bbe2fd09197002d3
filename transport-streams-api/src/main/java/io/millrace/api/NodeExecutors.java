package io.millrace.api;

import io.millrace.config.LimitSettings;
import io.millrace.ends.ExecutorLane;
import io.millrace.engine.NodeEnvironment;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The executors of one node, for all tasks outside its workers. Handlers run on the application's
 * executor, or on an executor of the node. Completions and bodies run there, too, but never behind
 * handlers. Tasks that wait for devices run on threads of their own.
 */
final class NodeExecutors implements AutoCloseable {
  private static final long HANDLERS_END_S = 3;
  private static final long DEVICES_END_S = 2;

  private final ExecutorLane lane;
  private final List<ExecutorService> own;
  private final ExecutorService devices;

  private NodeExecutors(ExecutorLane lane, List<ExecutorService> own, ExecutorService devices) {
    this.lane = lane;
    this.own = own;
    this.devices = devices;
  }

  /**
   * Returns the executors of a node.
   *
   * @param given the application's executor, which the node does not shut down, or null
   * @param parallelism the number of handlers that run at once, and of other tasks, except tasks
   *     that wait for devices
   */
  static NodeExecutors of(
      @Nullable Executor given,
      int parallelism,
      NodeEnvironment environment,
      LimitSettings limits) {
    ExecutorService devices = environment.newDeviceExecutor(limits.deviceThreads());
    Executor lastResort = environment.lastResort();
    int queue = limits.executorQueue();
    ExecutorLane deviceLane = new ExecutorLane(devices, queue, limits.deviceThreads(), lastResort);
    List<ExecutorService> own = List.of();
    Executor handlers = given;
    Executor others = given;
    ExecutorLane.Threads threads = ExecutorLane.Threads.fixed(parallelism);
    if (handlers == null || others == null) {
      own =
          List.of(
              environment.newGrowingExecutor("app", parallelism),
              environment.newGrowingExecutor("completion", parallelism));
      handlers = own.getFirst();
      others = own.getLast();
      threads = ExecutorLane.Threads.growing(parallelism);
    }
    ExecutorLane requests = new ExecutorLane(handlers, queue, threads, lastResort, null, null);
    ExecutorLane lane = new ExecutorLane(others, queue, threads, lastResort, deviceLane, requests);
    return new NodeExecutors(lane, own, devices);
  }

  /** The lane that takes the tasks. */
  ExecutorLane lane() {
    return lane;
  }

  /** Waits a few seconds at most for the running tasks. Idempotent. */
  @Override
  public void close() {
    devices.shutdown();
    own.forEach(ExecutorService::shutdown);
    own.forEach(executor -> awaitEnd(executor, HANDLERS_END_S));
    awaitEnd(devices, DEVICES_END_S);
  }

  private static void awaitEnd(ExecutorService executor, long seconds) {
    try {
      var _ = executor.awaitTermination(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
