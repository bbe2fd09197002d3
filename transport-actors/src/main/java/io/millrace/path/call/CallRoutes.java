package io.millrace.path.call;

import io.millrace.body.BodyAcceptor;
import org.jspecify.annotations.Nullable;

/** The handlers of calls, by route. Any thread may use the routes. */
public interface CallRoutes {
  /** The patterns of a single request look alike on the wire. */
  String SINGLE_REQUEST = "unary or bulk-read";

  /** The handler of the route with this id, or null. */
  @Nullable InboundHandler find(long routeId);

  /** The acceptor of bulk writes to the route with this id, or null. */
  @Nullable BodyAcceptor findAcceptor(long routeId);

  /**
   * The text for a caller who asked for the route in a pattern that nobody serves: names the
   * patterns in which the route is served.
   */
  String unserved(long routeId, String asked);

  /** {@link #unserved(long, String)} for a caller with a single request. */
  default String unserved(long routeId) {
    return unserved(routeId, SINGLE_REQUEST);
  }
}
