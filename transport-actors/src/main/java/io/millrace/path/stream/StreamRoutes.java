package io.millrace.path.stream;

import org.jspecify.annotations.Nullable;

/** The acceptors of streams, by route. Any thread may use the routes. */
public interface StreamRoutes {
  /** The acceptor for streams of this pattern of the route with this id, or null. */
  @Nullable StreamAcceptor findStreams(long routeId, int pattern);

  /** The text for a caller who opened a stream in a pattern that nobody serves. */
  String unserved(long routeId, String asked);
}
