package io.millrace.actor.peer;

import io.millrace.wire.Route;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which handler serves which route. Registered by any thread, copied on each registration, so that
 * workers read it without a lock.
 */
public final class Routes {
  private final AtomicReference<Long2ObjectHashMap<Served>> served =
      new AtomicReference<>(new Long2ObjectHashMap<>());

  private record Served(Route route, InboundHandler handler) {}

  /**
   * Adds a handler.
   *
   * @throws IllegalArgumentException if the route is served already, or another with the same id
   */
  public void add(Route route, InboundHandler handler) {
    Long2ObjectHashMap<Served> before = served.get();
    Long2ObjectHashMap<Served> after = with(before, route, handler);
    while (!served.compareAndSet(before, after)) {
      before = served.get();
      after = with(before, route, handler);
    }
  }

  /** The handler of the route with this id, or null. */
  @Nullable InboundHandler find(long routeId) {
    Served found = served.getAcquire().get(routeId);
    return found == null ? null : found.handler();
  }

  private static Long2ObjectHashMap<Served> with(
      Long2ObjectHashMap<Served> before, Route route, InboundHandler handler) {
    Served known = before.get(route.id());
    if (known != null) {
      throw new IllegalArgumentException(
          known.route().equals(route)
              ? "route '" + route.name() + "' is served already"
              : "routes '"
                  + known.route().name()
                  + "' and '"
                  + route.name()
                  + "' have the same id");
    }
    Long2ObjectHashMap<Served> after = new Long2ObjectHashMap<>(before);
    after.put(route.id(), new Served(route, handler));
    return after;
  }
}
