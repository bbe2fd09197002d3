package io.millrace.engine;

import io.millrace.access.CallPattern;
import io.millrace.access.admission.PathAccess;
import io.millrace.access.admission.RouteNames;
import io.millrace.body.BodyAcceptor;
import io.millrace.path.call.InboundHandler;
import io.millrace.path.peer.NodeRoutes;
import io.millrace.path.stream.StreamAcceptor;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The servers of routes: a handler answers calls, including reads in bulk; acceptors take bulk
 * writes and streams. A route may have one server of each kind. Any thread registers servers, and
 * takes servers out; each change copies the table, so that workers read the table without a lock.
 */
public final class Routes implements NodeRoutes, RouteNames {
  private final AtomicReference<Long2ObjectHashMap<Served>> served =
      new AtomicReference<>(new Long2ObjectHashMap<>());

  /** Streams of a pattern, and their acceptor. */
  private record Streams(int pattern, StreamAcceptor acceptor) {}

  private record Served(
      RouteId route,
      @Nullable InboundHandler handler,
      @Nullable BodyAcceptor acceptor,
      @Nullable Streams streams) {
    /** Whether this entry contains the only part of the other entry. */
    private boolean has(Served entry) {
      return isSame(handler, entry.handler)
          || isSame(acceptor, entry.acceptor)
          || isSame(streams, entry.streams);
    }

    /** Two handlers may be equal and yet two. */
    @SuppressWarnings("ReferenceEquality") // a registration takes out the registered object itself
    private static boolean isSame(@Nullable Object one, @Nullable Object other) {
      return one != null && one == other;
    }

    /** The rest without the entry's part; null if nothing is left. */
    private @Nullable Served minus(Served entry) {
      Served rest =
          new Served(
              route,
              isSame(handler, entry.handler) ? null : handler,
              isSame(acceptor, entry.acceptor) ? null : acceptor,
              isSame(streams, entry.streams) ? null : streams);
      return rest.handler == null && rest.acceptor == null && rest.streams == null ? null : rest;
    }

    /** The names of the served patterns. */
    private String patterns() {
      List<String> names = new ArrayList<>();
      if (handler != null) {
        names.add(handler.pattern().text());
      }
      if (streams != null) {
        names.add(PathAccess.patternOf(streams.pattern()).text());
      }
      if (acceptor != null) {
        names.add(CallPattern.BULK_WRITE.text());
      }
      return String.join(" and ", names);
    }

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
   * @return takes the handler out again, once
   * @throws IllegalArgumentException if the route has a handler already, or another has the same id
   */
  public Runnable add(RouteId route, InboundHandler handler) {
    return add(new Served(route, handler, null, null));
  }

  /**
   * Adds an acceptor of bulk writes.
   *
   * @return takes the acceptor out again, once
   * @throws IllegalArgumentException if the route has an acceptor already, or another route has the
   *     same id
   */
  public Runnable add(RouteId route, BodyAcceptor acceptor) {
    return add(new Served(route, null, acceptor, null));
  }

  /**
   * Adds an acceptor of streams of a pattern.
   *
   * @param pattern a pattern of {@link io.millrace.protocol.stream.StreamPattern}
   * @return takes the acceptor out again, once
   * @throws IllegalArgumentException if the route has such an acceptor already, or another route
   *     has the same id
   */
  public Runnable add(RouteId route, int pattern, StreamAcceptor acceptor) {
    return add(new Served(route, null, null, new Streams(pattern, acceptor)));
  }

  private Runnable add(Served entry) {
    Long2ObjectHashMap<Served> before = served.get();
    Long2ObjectHashMap<Served> after = with(before, entry);
    while (!served.compareAndSet(before, after)) {
      before = served.get();
      after = with(before, entry);
    }
    return () -> remove(entry);
  }

  private void remove(Served entry) {
    Long2ObjectHashMap<Served> before = served.get();
    Long2ObjectHashMap<Served> after = without(before, entry);
    while (after != null && !served.compareAndSet(before, after)) {
      before = served.get();
      after = without(before, entry);
    }
  }

  @Override
  public @Nullable InboundHandler find(long routeId) {
    Served found = served.getAcquire().get(routeId);
    return found == null ? null : found.handler();
  }

  @Override
  public @Nullable String nameOf(long routeId) {
    Served found = served.getAcquire().get(routeId);
    return found == null ? null : found.route().name();
  }

  @Override
  public @Nullable BodyAcceptor findAcceptor(long routeId) {
    Served found = served.getAcquire().get(routeId);
    return found == null ? null : found.acceptor();
  }

  @Override
  public @Nullable StreamAcceptor findStreams(long routeId, int pattern) {
    Served found = served.getAcquire().get(routeId);
    Streams streams = found == null ? null : found.streams();
    return streams == null || streams.pattern() != pattern ? null : streams.acceptor();
  }

  @Override
  public String unserved(long routeId, String asked) {
    Served found = served.getAcquire().get(routeId);
    return found == null
        ? "nobody serves this route"
        : "nobody serves this route as " + asked + "; it is served as " + found.patterns();
  }

  private static Long2ObjectHashMap<Served> with(Long2ObjectHashMap<Served> before, Served entry) {
    RouteId route = entry.route();
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

  /** The table without the entry's part, or null if the table lacks this part. */
  private static @Nullable Long2ObjectHashMap<Served> without(
      Long2ObjectHashMap<Served> before, Served entry) {
    long id = entry.route().id();
    Served known = before.get(id);
    if (known == null || !known.has(entry)) {
      return null;
    }
    Long2ObjectHashMap<Served> after = new Long2ObjectHashMap<>(before);
    Served rest = known.minus(entry);
    if (rest == null) {
      after.remove(id);
    } else {
      after.put(id, rest);
    }
    return after;
  }

  private static String refusal(RouteId known, RouteId route) {
    return known.equals(route)
        ? "route '" + route.name() + "' is served already"
        : "routes '" + known.name() + "' and '" + route.name() + "' have the same id";
  }
}
