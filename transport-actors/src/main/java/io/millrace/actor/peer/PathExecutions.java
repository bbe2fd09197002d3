package io.millrace.actor.peer;

import java.util.LinkedHashSet;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * Counts what handlers of one path have in hand, and keeps the requests for which that is too much
 * until there is room again, in the order of their arrival; rule C-6. What waits has a slot of its
 * caller's and its credit: both bound it. On the worker's thread.
 */
final class PathExecutions {
  private final int limit;
  private final SequencedSet<WaitingRequest> waiting = new LinkedHashSet<>();
  private int running;

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
    return waiting.size();
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
    waiting.add(request);
  }

  /** Takes a request that waits, wherever it stands. */
  void remove(WaitingRequest request) {
    waiting.remove(request);
  }

  /** Takes the request that has waited longest, if there is room for it now; else null. */
  @Nullable WaitingRequest next() {
    return hasRoom() && !waiting.isEmpty() ? waiting.removeFirst() : null;
  }
}
