package io.millrace.api.actor;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The undecided calls of one route served by an actor. In every order of a call's arrival and the
 * actor's end, each call is decided: by the actor, by the actor's end, or at once because the actor
 * ended before. Any thread; a thread holds the lock only for moments, and never while a call is
 * decided.
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

  /** Makes the end of the actor fail the decision; returns false if the actor has ended already. */
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

  /**
   * Called when the actor has stopped: fails the undecided calls, oldest first, and all later
   * calls.
   */
  void onServerStopped() {
    ActorFailedException why =
        new ActorFailedException("the actor of the route '" + route + "' has stopped");
    List<CompletableFuture<?>> waiting;
    synchronized (lock) {
      stopped = why;
      waiting = new ArrayList<>(undecided.values());
      undecided.clear();
    }
    waiting.forEach(decision -> decision.completeExceptionally(why));
  }
}
