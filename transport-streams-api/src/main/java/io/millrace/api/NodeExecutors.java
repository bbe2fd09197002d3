package io.millrace.api;

import io.millrace.actor.pool.NodeEnvironment;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.config.LimitSettings;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where one node runs what is not a worker's: handlers and completions on the application's
 * executor, or on one of the node's own, and what waits for devices on threads for that.
 */
final class NodeExecutors implements AutoCloseable {
  private static final long HANDLERS_END_S = 3;
  private static final long DEVICES_END_S = 2;

  private final ExecutorLane lane;
  private final @Nullable ExecutorService own;
  private final ExecutorService devices;

  private NodeExecutors(ExecutorLane lane, @Nullable ExecutorService own, ExecutorService devices) {
    this.lane = lane;
    this.own = own;
    this.devices = devices;
  }

  /**
   * Those of a node.
   *
   * @param given the application's, which is not shut down, or null
   * @param parallelism tasks that run at once, but for those that wait for devices
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
    ExecutorService own = null;
    Executor chosen = given;
    if (chosen == null) {
      own = environment.newExecutor(parallelism);
      chosen = own;
    }
    ExecutorLane lane = new ExecutorLane(chosen, queue, parallelism, lastResort, deviceLane);
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
    if (own != null) {
      own.shutdown();
      awaitEnd(own, HANDLERS_END_S);
    }
    awaitEnd(devices, DEVICES_END_S);
  }

  private static void awaitEnd(ExecutorService executor, long seconds) {
    try {
      executor.awaitTermination(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
