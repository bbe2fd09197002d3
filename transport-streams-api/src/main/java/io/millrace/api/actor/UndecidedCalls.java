package io.millrace.api.actor;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What peers wait for at one route that an actor serves. Whatever the order of an arrival and of
 * the actor's end, each arrival is decided: by the actor, by its end, or at once because that was
 * before. Any thread; the lock is held for moments and never while something is decided.
 */
final class UndecidedCalls {
  private final String route;
  private final Object lock = new Object();
  private final TreeMap<Long, CompletableFuture<?>> undecided = new TreeMap<>();
  private long arrivals;
  private @Nullable ActorFailedException stopped;

  UndecidedCalls(String route) {
    this.route = route;
  }

  /** Has the end of the actor fail the decision; false if that has happened. */
  boolean track(CompletableFuture<?> decision) {
    ActorFailedException why;
    long number;
    synchronized (lock) {
      why = stopped;
      number = arrivals++;
      if (why == null) {
        undecided.put(number, decision);
      }
    }
    if (why != null) {
      decision.completeExceptionally(why);
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

  /** The actor has stopped: fails what is undecided, oldest first, and all that comes later. */
  void onServerStopped() {
    ActorFailedException why =
        new ActorFailedException("the actor that serves '" + route + "' has stopped");
    List<CompletableFuture<?>> waiting;
    synchronized (lock) {
      stopped = why;
      waiting = new ArrayList<>(undecided.values());
      undecided.clear();
    }
    waiting.forEach(decision -> decision.completeExceptionally(why));
  }
}
