package io.millrace.path.stream;

import org.jspecify.annotations.Nullable;

/** Who takes the streams of which route. Any thread. */
public interface StreamRoutes {
  /** Who takes streams of this pattern of the route with this id, or null. */
  @Nullable StreamAcceptor findStreams(long routeId, int pattern);
}
