package io.millrace.api;

import io.millrace.wire.RouteId;

/**
 * A route that a node serves in one way. It ends with {@link #close} or with the transport,
 * whichever is first; it need not be closed. Any thread.
 */
public final class Registration implements AutoCloseable {
  private final RouteId route;
  private final Runnable removal;

  /** The same, which runs {@code more} besides when it is closed. */
  public Registration onClose(Runnable more) {
    return new Registration(
        route,
        () -> {
          removal.run();
          more.run();
        });
  }

  Registration(RouteId route, Runnable removal) {
    this.route = route;
    this.removal = removal;
  }

  /** The name of the route that is served. */
  public String route() {
    return route.name();
  }

  /**
   * Serves it no more: what comes from now on fails with {@code UNKNOWN_ROUTE}, and somebody else
   * may serve it. What the handler has been given goes on to its end. Idempotent.
   */
  @Override
  public void close() {
    removal.run();
  }

  @Override
  public String toString() {
    return "Registration[" + route.name() + "]";
  }
}
