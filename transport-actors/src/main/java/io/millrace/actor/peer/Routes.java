package io.millrace.actor.peer;

import io.millrace.actor.body.BodyAcceptor;
import io.millrace.wire.Route;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who serves which route: a handler answers calls, and reads in bulk among them; an acceptor takes
 * bulk writes. A route may have one of each. Registered by any thread, copied on each registration,
 * so that workers read it without a lock.
 */
public final class Routes {
  private final AtomicReference<Long2ObjectHashMap<Served>> served =
      new AtomicReference<>(new Long2ObjectHashMap<>());

  private record Served(
      Route route, @Nullable InboundHandler handler, @Nullable BodyAcceptor acceptor) {
    /** Both at once, or null if both serve the same. */
    private @Nullable Served and(Served other) {
      if (handler == null && other.acceptor == null) {
        return new Served(route, other.handler, acceptor);
      }
      if (acceptor == null && other.handler == null) {
        return new Served(route, handler, other.acceptor);
      }
      return null;
    }
  }

  /**
   * Adds a handler.
   *
   * @throws IllegalArgumentException if the route has a handler already, or another has the same id
   */
  public void add(Route route, InboundHandler handler) {
    add(new Served(route, handler, null));
  }

  /**
   * Adds who takes bulk writes.
   *
   * @throws IllegalArgumentException if the route has one already, or another has the same id
   */
  public void add(Route route, BodyAcceptor acceptor) {
    add(new Served(route, null, acceptor));
  }

  private void add(Served entry) {
    Long2ObjectHashMap<Served> before = served.get();
    Long2ObjectHashMap<Served> after = with(before, entry);
    while (!served.compareAndSet(before, after)) {
      before = served.get();
      after = with(before, entry);
    }
  }

  /** The handler of the route with this id, or null. */
  @Nullable InboundHandler find(long routeId) {
    Served found = served.getAcquire().get(routeId);
    return found == null ? null : found.handler();
  }

  /** Who takes bulk writes to the route with this id, or null. */
  @Nullable BodyAcceptor findAcceptor(long routeId) {
    Served found = served.getAcquire().get(routeId);
    return found == null ? null : found.acceptor();
  }

  private static Long2ObjectHashMap<Served> with(Long2ObjectHashMap<Served> before, Served entry) {
    Route route = entry.route();
    Served known = before.get(route.id());
    Served both = entry;
    if (known != null) {
      both = known.route().equals(route) ? known.and(entry) : null;
      if (both == null) {
        throw new IllegalArgumentException(refusal(known.route(), route));
      }
    }
    Long2ObjectHashMap<Served> after = new Long2ObjectHashMap<>(before);
    after.put(route.id(), both);
    return after;
  }

  private static String refusal(Route known, Route route) {
    return known.equals(route)
        ? "route '" + route.name() + "' is served already"
        : "routes '" + known.name() + "' and '" + route.name() + "' have the same id";
  }
}
