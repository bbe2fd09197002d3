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
 * Where one node runs what is not a worker's: handlers on the application's executor, or on one of
 * the node's own; completions and bodies there, too, but never behind handlers; and what waits for
 * devices on threads for that.
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
   * Those of a node.
   *
   * @param given the application's, which is not shut down, or null
   * @param parallelism handlers that run at once, and as many other tasks, but for those that wait
   *     for devices
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

  /** Where tasks are given. */
  ExecutorLane lane() {
    return lane;
  }

  /** Waits some seconds at most for what runs. Idempotent. */
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
