package io.millrace.actor.peer;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one link that no path has taken, in the order in which they came. Doubly linked
 * through the calls, so that one which is cancelled leaves without a walk. On the worker's thread;
 * does not allocate.
 */
final class WaitingCalls {
  private @Nullable PeerCall head;
  private @Nullable PeerCall tail;
  private int size;
  private long looks;

  /** Calls that wait. */
  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Calls that {@link #remove} had to look at besides those it took out, ever; for tests. */
  long looks() {
    return looks;
  }

  /** The call that has waited longest, or null. */
  @Nullable PeerCall first() {
    return head;
  }

  void add(PeerCall call) {
    if (call.isWaiting) {
      throw new IllegalStateException("the call waits already");
    }
    PeerCall last = tail;
    call.isWaiting = true;
    call.previousWaiting = last;
    if (last == null) {
      head = call;
    } else {
      last.nextWaiting = call;
    }
    tail = call;
    size++;
  }

  /** Takes a call out, wherever it stands; false if it does not wait. */
  boolean remove(PeerCall call) {
    if (!call.isWaiting) {
      return false;
    }
    PeerCall before = call.previousWaiting;
    PeerCall after = call.nextWaiting;
    if (before == null) {
      head = after;
    } else {
      before.nextWaiting = after;
      looks++;
    }
    if (after == null) {
      tail = before;
    } else {
      after.previousWaiting = before;
      looks++;
    }
    call.isWaiting = false;
    call.previousWaiting = null;
    call.nextWaiting = null;
    size--;
    return true;
  }

  /** Shows all of them, in their order; none may come or go meanwhile. */
  void forEach(Consumer<PeerCall> consumer) {
    PeerCall call = head;
    while (call != null) {
      consumer.accept(call);
      call = call.nextWaiting;
    }
  }
}
