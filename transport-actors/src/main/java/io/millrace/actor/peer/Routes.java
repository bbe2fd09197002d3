package io.millrace.actor.peer;

import io.millrace.wire.Route;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which handler serves which route. Registered by any thread, copied on each registration, so that
 * workers read it without a lock.
 */
public final class Routes {
  private final Long2ObjectHashMap<Route> names = new Long2ObjectHashMap<>();
  private volatile Long2ObjectHashMap<InboundHandler> handlers = new Long2ObjectHashMap<>();

  /**
   * Adds a handler.
   *
   * @throws IllegalArgumentException if the route is served already, or another with the same id
   */
  public synchronized void add(Route route, InboundHandler handler) {
    Route known = names.putIfAbsent(route.id(), route);
    if (known != null) {
      throw new IllegalArgumentException(
          known.equals(route)
              ? "route '" + route.name() + "' is served already"
              : "routes '" + known.name() + "' and '" + route.name() + "' have the same id");
    }
    Long2ObjectHashMap<InboundHandler> copy = new Long2ObjectHashMap<>(handlers);
    copy.put(route.id(), handler);
    handlers = copy;
  }

  /** The handler of the route with this id, or null. */
  @Nullable InboundHandler find(long routeId) {
    return handlers.get(routeId);
  }
}
