package io.millrace.actor.peer;

import org.jspecify.annotations.Nullable;

/**
 * Counts what handlers of one path have in hand, and keeps the requests for which that is too much
 * until there is room again, in the order of their arrival; rule C-6. What waits has a slot of its
 * caller's and its credit: both bound it. On the worker's thread; allocates nothing while nothing
 * waits.
 */
final class PathExecutions {
  private final int limit;
  private int running;
  private int waiting;
  private @Nullable WaitingRequest head;
  private @Nullable WaitingRequest tail;

  /** Of a path whose peer may have so many calls executed at once. */
  PathExecutions(int limit) {
    this.limit = limit;
  }

  /** Whether one more call may be executed. */
  boolean hasRoom() {
    return running < limit;
  }

  /** Calls that handlers have and did not answer, those included that were given up. */
  int running() {
    return running;
  }

  /** Requests that wait. */
  int waiting() {
    return waiting;
  }

  /** A handler took a call out of the worker's hands. */
  void onStarted() {
    running++;
    assert running <= limit : running + " of " + limit;
  }

  /** It has answered. */
  void onEnded() {
    running--;
    assert running >= 0;
  }

  /** There is no room for it now. */
  void add(WaitingRequest request) {
    WaitingRequest last = tail;
    request.previous = last;
    if (last == null) {
      head = request;
    } else {
      last.next = request;
    }
    tail = request;
    waiting++;
  }

  /** Takes a request that waits, wherever it stands. */
  void remove(WaitingRequest request) {
    WaitingRequest before = request.previous;
    WaitingRequest after = request.next;
    if (before == null) {
      head = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      tail = before;
    } else {
      after.previous = before;
    }
    request.previous = null;
    request.next = null;
    waiting--;
  }

  /** Takes the request that has waited longest, if there is room for it now; else null. */
  @Nullable WaitingRequest next() {
    WaitingRequest first = head;
    if (first == null || !hasRoom()) {
      return null;
    }
    remove(first);
    return first;
  }
}
