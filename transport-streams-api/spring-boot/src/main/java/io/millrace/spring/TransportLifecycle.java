package io.millrace.spring;

import io.millrace.api.Transport;
import io.millrace.node.DrainReport;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Serves the routes when all beans are ready, and ends the transport ahead of the beans that its
 * handlers use: drains, within the time that Spring gives to a phase, and closes. The phase is that
 * of a web server's graceful shutdown, so both take their time at once. Any thread.
 */
final class TransportLifecycle implements SmartLifecycle {
  /** The phase in which web servers of Spring Boot let their requests end. */
  private static final int PHASE = DEFAULT_PHASE - 1024;

  private static final Log LOG = LogFactory.getLog(TransportLifecycle.class);

  /** The states of the node, as this lifecycle knows them. */
  enum State {
    /** The beans are not ready yet: nothing is served. */
    STARTING,

    /** The node serves its routes. */
    SERVING,

    /** The node ends running calls and takes no others. */
    DRAINING,

    /** The node has closed. */
    CLOSED
  }

  private final Transport transport;
  private final RouteRegistrar routes;
  private final Duration drainLimit;
  private final AtomicReference<State> state = new AtomicReference<>(State.STARTING);

  TransportLifecycle(Transport transport, RouteRegistrar routes, Duration drainLimit) {
    this.transport = transport;
    this.routes = routes;
    this.drainLimit = drainLimit;
  }

  State state() {
    return state.get();
  }

  @Override
  public void start() {
    if (state.get() != State.STARTING) {
      throw new IllegalStateException(
          "a drained transport does not start again: start a new application context");
    }
    routes.serve(transport).forEach(served -> LOG.debug("serves " + served.route()));
    // The node is healthy once it serves its routes, and not before.
    state.set(State.SERVING);
  }

  @Override
  public void stop(Runnable callback) {
    if (!state.compareAndSet(State.SERVING, State.DRAINING)) {
      callback.run();
      return;
    }
    var _ =
        transport
            .drain(drainLimit)
            .whenComplete(
                (report, failure) -> {
                  Thread.ofPlatform().name("millrace-stop").start(() -> close(report, callback));
                });
  }

  private void tell(@Nullable DrainReport report) {
    if (report != null && !report.isComplete()) {
      LOG.warn("closes with work under way after " + drainLimit + ": " + report);
    }
  }

  private void close(@Nullable DrainReport report, Runnable callback) {
    try {
      tell(report);
    } finally {
      close(callback);
    }
  }

  private void close(Runnable callback) {
    try {
      transport.close();
    } finally {
      state.set(State.CLOSED);
      callback.run();
    }
  }

  @Override
  public void stop() {
    stop(() -> {});
  }

  @Override
  public boolean isRunning() {
    State now = state.get();
    return now == State.SERVING || now == State.DRAINING;
  }

  /** A drain cannot be undone, so no pause of the context stops the transport. */
  @Override
  public boolean isPauseable() {
    return false;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
