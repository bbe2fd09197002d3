package io.millrace.actor.peer;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one link that no path has taken, in the order in which they came, and since when;
 * one that is cancelled leaves without a walk. On the worker's thread.
 */
final class WaitingCalls {
  private final SequencedMap<PeerCall, Long> sinceNs = new LinkedHashMap<>();

  /** Calls that wait. */
  int size() {
    return sinceNs.size();
  }

  boolean isEmpty() {
    return sinceNs.isEmpty();
  }

  /** The call that has waited longest, or null. */
  @Nullable PeerCall first() {
    var first = sinceNs.firstEntry();
    return first == null ? null : first.getKey();
  }

  /** Since when the call waits that has waited longest, ns. There must be one. */
  long firstSinceNs() {
    return sinceNs.sequencedValues().getFirst();
  }

  void add(PeerCall call, long nowNs) {
    if (sinceNs.putIfAbsent(call, nowNs) != null) {
      throw new IllegalStateException("the call waits already");
    }
  }

  /** Takes a call out, wherever it stands; false if it does not wait. */
  boolean remove(PeerCall call) {
    return sinceNs.remove(call) != null;
  }

  /** Shows all of them, in their order; none may come or go meanwhile. */
  void forEach(Consumer<PeerCall> consumer) {
    sinceNs.keySet().forEach(consumer);
  }
}
