package io.millrace.actor.peer;

import io.millrace.actor.body.BodyAcceptor;
import io.millrace.wire.Route;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who serves which route: a handler answers calls, and reads in bulk among them; acceptors take
 * bulk writes and streams. A route may have one of each. Registered by any thread, copied on each
 * registration, so that workers read it without a lock.
 */
public final class Routes {
  private final AtomicReference<Long2ObjectHashMap<Served>> served =
      new AtomicReference<>(new Long2ObjectHashMap<>());

  /** Streams of one pattern, and who takes them. */
  private record Streams(int pattern, StreamAcceptor acceptor) {}

  private record Served(
      Route route,
      @Nullable InboundHandler handler,
      @Nullable BodyAcceptor acceptor,
      @Nullable Streams streams) {
    /** Both at once, or null if both serve the same. */
    private @Nullable Served and(Served other) {
      boolean isTwice =
          (handler != null && other.handler != null)
              || (acceptor != null && other.acceptor != null)
              || (streams != null && other.streams != null);
      return isTwice
          ? null
          : new Served(
              route,
              handler == null ? other.handler : handler,
              acceptor == null ? other.acceptor : acceptor,
              streams == null ? other.streams : streams);
    }
  }

  /**
   * Adds a handler.
   *
   * @throws IllegalArgumentException if the route has a handler already, or another has the same id
   */
  public void add(Route route, InboundHandler handler) {
    add(new Served(route, handler, null, null));
  }

  /**
   * Adds who takes bulk writes.
   *
   * @throws IllegalArgumentException if the route has one already, or another has the same id
   */
  public void add(Route route, BodyAcceptor acceptor) {
    add(new Served(route, null, acceptor, null));
  }

  /**
   * Adds who takes streams of one pattern.
   *
   * @param pattern one of {@link io.millrace.protocol.stream.StreamPattern}
   * @throws IllegalArgumentException if the route has one already, or another has the same id
   */
  public void add(Route route, int pattern, StreamAcceptor acceptor) {
    add(new Served(route, null, null, new Streams(pattern, acceptor)));
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

  /** Who takes streams of this pattern of the route with this id, or null. */
  @Nullable StreamAcceptor findStreams(long routeId, int pattern) {
    Served found = served.getAcquire().get(routeId);
    Streams streams = found == null ? null : found.streams();
    return streams == null || streams.pattern() != pattern ? null : streams.acceptor();
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
