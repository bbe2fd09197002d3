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
 * What ties a node to its process. While it serves a route the process lives, also when no thread
 * of the application is left. When the process is told to end, or the application's actor system
 * is, the node drains and closes first. Any thread.
 */
final class ProcessLife {
  private static final Duration AFTER_DRAIN = Duration.ofSeconds(1);

  private final Transport transport;
  private final Duration drainLimit;
  private final CountDownLatch over = new CountDownLatch(1);
  private @Nullable Thread hook;

  /** The system outlives the node, and would hold it. */
  private List<Cancellable> tasks = List.of();

  private boolean isKept;

  private ProcessLife(Transport transport, Duration drainLimit) {
    this.transport = transport;
    this.drainLimit = drainLimit;
  }

  /** The life of a node with an actor system of its own: it ends with the process. */
  static ProcessLife ofProcess(Transport transport, Duration drainLimit) {
    ProcessLife life = new ProcessLife(transport, drainLimit);
    Thread hook = new Thread(life::end, "millrace-shutdown");
    life.hook = hook;
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends already: who starts a node now closes it.
      life.hook = null;
    }
    return life;
  }

  /** The life of a node in the application's actor system: it ends ahead of that. */
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

  /** The life of a node that somebody else ends, such as a simulation. */
  static ProcessLife ofNobody(Transport transport) {
    return new ProcessLife(transport, Duration.ZERO);
  }

  /** The node serves: a process that has a hook for it lives until the node is closed. */
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

  /** The process has been told to end. */
  private void end() {
    try {
      transport
          .pool()
          .drainToClose(drainLimit)
          .get(drainLimit.plus(AFTER_DRAIN).toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // It was closed meanwhile, or does not answer: it is closed all the same.
    }
    transport.close();
  }

  /** The node is closed. */
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
        // The process ends: the hook runs, or has run.
      }
    }
  }
}
