package io.millrace.api;

import io.millrace.wire.RouteId;

/**
 * The registration of a handler for a route. The registration ends with {@link #close} or with the
 * transport; an explicit close is optional. Any thread.
 */
public final class Registration implements AutoCloseable {
  private final RouteId route;
  private final Runnable removal;

  /** Returns the same registration, which also runs {@code more} on close. */
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

  /** Returns the name of the served route. */
  public String route() {
    return route.name();
  }

  /**
   * Stops serving the route: later requests fail with {@code UNKNOWN_ROUTE}, and another handler
   * may serve the route. Requests that the handler has received already go on to their end.
   * Idempotent.
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
