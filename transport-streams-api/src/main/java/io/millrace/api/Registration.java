package io.millrace.api;

import io.millrace.wire.Route;

/**
 * A route that a node serves in one way. It ends with {@link #close} or with the transport,
 * whichever is first; it need not be closed. Any thread.
 */
public final class Registration implements AutoCloseable {
  private final Route route;
  private final Runnable removal;

  Registration(Route route, Runnable removal) {
    this.route = route;
    this.removal = removal;
  }

  /** What is served. */
  public Route route() {
    return route;
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
