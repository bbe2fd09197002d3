package io.millrace.api;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.Done;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * Ties a node to its process. While the node serves a route the process lives, also without a
 * thread of the application. When the process or the application's actor system is told to end, the
 * node first drains and closes. Any thread.
 */
final class ProcessLife {
  private static final Duration AFTER_DRAIN = Duration.ofSeconds(1);

  private final Transport transport;
  private final Duration drainLimit;
  private final CountDownLatch over = new CountDownLatch(1);
  private @Nullable Thread hook;

  /**
   * The tasks of coordinated shutdown; to cancel on close, because the system outlives the node and
   * would hold the node.
   */
  private List<Cancellable> tasks = List.of();

  private boolean isKept;

  private ProcessLife(Transport transport, Duration drainLimit) {
    this.transport = transport;
    this.drainLimit = drainLimit;
  }

  /** Returns the life of a node with an actor system of its own: the node ends with the process. */
  static ProcessLife ofProcess(Transport transport, Duration drainLimit) {
    ProcessLife life = new ProcessLife(transport, drainLimit);
    Thread hook = new Thread(life::end, "millrace-shutdown");
    life.hook = hook;
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is already ending: the code that starts a node now closes the node.
      life.hook = null;
    }
    return life;
  }

  /**
   * Returns the life of a node in the application's actor system: the node ends ahead of the
   * system.
   */
  static ProcessLife ofSystem(Transport transport, ActorSystem<?> system, Duration drainLimit) {
    ProcessLife life = new ProcessLife(transport, drainLimit);
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
    String phase = CoordinatedShutdown.PhaseServiceRequestsDone();
    Duration most = Duration.ofMillis(shutdown.timeout(phase).toMillis() * 9 / 10);
    Duration limit = drainLimit.compareTo(most) < 0 ? drainLimit : most;
    Cancellable drain =
        shutdown.addCancellableTask(
            phase,
            "millrace drains " + transport.address(),
            () ->
                transport.pool().drainToClose(limit).handle((left, failure) -> Done.getInstance()));
    Cancellable close =
        shutdown.addCancellableTask(
            CoordinatedShutdown.PhaseServiceStop(),
            "millrace closes " + transport.address(),
            () ->
                CompletableFuture.supplyAsync(
                    () -> {
                      transport.close();
                      return Done.getInstance();
                    }));
    life.tasks = List.of(drain, close);
    return life;
  }

  /** Returns the life of a node that other code ends, such as a simulation. */
  static ProcessLife ofNobody(Transport transport) {
    return new ProcessLife(transport, Duration.ZERO);
  }

  /**
   * Called when the node serves a route: a process with a hook for the node lives until the node is
   * closed.
   */
  synchronized void onServing() {
    if (hook != null && !isKept) {
      isKept = true;
      Thread keeper = new Thread(this::awaitEnd, "millrace-serves-" + transport.address());
      keeper.setDaemon(false);
      keeper.start();
    }
  }

  private void awaitEnd() {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Drains and closes the node, because the process has been told to end. */
  private void end() {
    try {
      transport
          .pool()
          .drainToClose(drainLimit)
          .get(drainLimit.plus(AFTER_DRAIN).toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // The node was closed meanwhile, or does not answer: close the node in both cases.
    }
    transport.close();
  }

  /** Called when the node is closed. */
  void onClosed() {
    over.countDown();
    tasks.forEach(Cancellable::cancel);
    Thread present;
    synchronized (this) {
      present = hook;
      hook = null;
    }
    if (present != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(present);
      } catch (IllegalStateException e) {
        // The process is ending: the hook runs, or has run.
      }
    }
  }
}
