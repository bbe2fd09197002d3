package io.millrace.api.actor;

import io.millrace.wire.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * What peers wait for at one route, while an actor serves it. Whatever the order of an arrival and
 * of the server's end, each arrival is decided: by the server, by {@link #close}, or at once
 * because that was before. Any thread; the lock is held for moments and never while something is
 * decided.
 *
 * @param <M> what the server is told
 */
final class ServedRoute<M> {
  private final Route route;
  private final ActorRef<M> server;
  private final Object lock = new Object();
  private final TreeMap<Long, CompletableFuture<?>> undecided = new TreeMap<>();
  private long arrivals;
  private @Nullable String closedBecause;

  ServedRoute(Route route, ActorRef<M> server) {
    this.route = route;
    this.server = server;
  }

  ActorRef<M> server() {
    return server;
  }

  /** Whether nobody serves it any more. */
  boolean isClosed() {
    synchronized (lock) {
      return closedBecause != null;
    }
  }

  /** Whether the server owes no decision; for good once nothing comes any more. */
  boolean isDecided() {
    synchronized (lock) {
      return undecided.isEmpty();
    }
  }

  /** Has the server decide. */
  static <T, M extends Incoming<T>> CompletionStage<T> ask(ServedRoute<M> route, M incoming) {
    if (route.track(incoming.decision())) {
      route.server.tell(incoming);
    }
    return incoming.decision();
  }

  /** Throws {@link ActorFailedException} if the server has stopped. */
  void check() {
    String closed;
    synchronized (lock) {
      closed = closedBecause;
    }
    if (closed != null) {
      throw new ActorFailedException(closed);
    }
  }

  /** Has the end of the server fail the decision; false if that has happened. */
  boolean track(CompletableFuture<?> decision) {
    String closed;
    long number;
    synchronized (lock) {
      closed = closedBecause;
      number = arrivals++;
      if (closed == null) {
        undecided.put(number, decision);
      }
    }
    if (closed != null) {
      decision.completeExceptionally(new ActorFailedException(closed));
      return false;
    }
    var _ = decision.whenComplete((value, failure) -> forget(number));
    return true;
  }

  private void forget(long number) {
    synchronized (lock) {
      undecided.remove(number);
    }
  }

  /** Nothing comes any more; what the server was given stays with it. */
  void leave() {
    synchronized (lock) {
      if (closedBecause == null) {
        closedBecause = "nobody serves '" + route.name() + "' any more";
      }
    }
  }

  /** The server has stopped: fails what is undecided, oldest first, and all that comes later. */
  void onServerStopped() {
    close("the actor that serves '" + route.name() + "' has stopped");
  }

  /** As above, for another reason; the first one stays. */
  void close(String because) {
    List<CompletableFuture<?>> waiting;
    synchronized (lock) {
      if (closedBecause == null) {
        closedBecause = because;
      }
      waiting = new ArrayList<>(undecided.values());
      undecided.clear();
    }
    for (CompletableFuture<?> decision : waiting) {
      decision.completeExceptionally(new ActorFailedException(because));
    }
  }
}
