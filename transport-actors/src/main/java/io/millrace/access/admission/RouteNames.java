package io.millrace.access.admission;

import org.jspecify.annotations.Nullable;

/** The names of the routes that a node serves. Any thread. */
@FunctionalInterface
public interface RouteNames {
  /** The name of the route with this id, or null for an unserved route. */
  @Nullable String nameOf(long routeId);
}
