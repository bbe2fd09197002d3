package io.millrace.path.stream;

import org.jspecify.annotations.Nullable;

/** The acceptors of streams, by route. Any thread may use the routes. */
public interface StreamRoutes {
  /** The acceptor for streams of this pattern of the route with this id, or null. */
  @Nullable StreamAcceptor findStreams(long routeId, int pattern);
}
