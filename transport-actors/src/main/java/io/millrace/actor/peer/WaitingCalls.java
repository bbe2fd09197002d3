package io.millrace.actor.peer;

import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one link that no path has taken, in the order in which they came; one that is
 * cancelled leaves without a walk. On the worker's thread; allocates one entry for a call that
 * comes.
 */
final class WaitingCalls {
  private final SequencedSet<PeerCall> calls = new LinkedHashSet<>();

  /** Calls that wait. */
  int size() {
    return calls.size();
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  /** The call that has waited longest, or null. */
  @Nullable PeerCall first() {
    return calls.isEmpty() ? null : calls.getFirst();
  }

  void add(PeerCall call, long nowNs) {
    if (!calls.add(call)) {
      throw new IllegalStateException("the call waits already");
    }
    call.onWaiting(nowNs);
  }

  /** Takes a call out, wherever it stands; false if it does not wait. */
  boolean remove(PeerCall call) {
    return calls.remove(call);
  }

  /** Shows all of them, in their order; none may come or go meanwhile. */
  void forEach(Consumer<PeerCall> consumer) {
    calls.forEach(consumer);
  }
}
