package io.millrace.path.peer;

import io.millrace.buffer.ByteBudget;
import io.millrace.config.HoconText;
import io.millrace.path.call.CallLink;
import io.millrace.path.call.PeerCall;
import io.millrace.path.call.ReadyWait;
import io.millrace.transfer.CallOutcome;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one link that wait, each up to a limit of its own, for their peer to be ready again;
 * without the limit these calls would have failed. Nothing of these calls was sent. The waiting
 * calls of a node share one budget of bytes, and have no place for their completions: many calls to
 * one lost peer keep no place from the calls to other peers. On the worker's thread; allocates one
 * entry for each new call.
 */
final class UnreadyCalls {
  /** The bytes that a waiting call counts beside its payload and headers. */
  private static final int CALL_BYTES = 256;

  private final CallLink link;
  private final ByteBudget budget;
  private final SequencedSet<PeerCall> calls = new LinkedHashSet<>();
  private CallOutcome outcome = CallOutcome.PEER_UNREACHABLE;
  private String text = "";

  /** No calls; {@code link} times the limits, {@code budget} is the node's. */
  UnreadyCalls(CallLink link, ByteBudget budget) {
    this.link = link;
    this.budget = budget;
  }

  int size() {
    return calls.size();
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  /**
   * Takes a call that would fail with this outcome, if time is left of the call's limit and the
   * node's budget has room.
   */
  boolean hold(PeerCall call, CallOutcome refusal, String reason, long nowNs) {
    ReadyWait wait = call.readyWait();
    if (wait == null || wait.overNs(nowNs) - nowNs <= 0) {
      return false;
    }
    long bytes = CALL_BYTES + call.loadBytes() + call.requestHeaders().length;
    if (!budget.reserve(bytes)) {
      return false;
    }
    wait.held(bytes);
    calls.add(call);
    call.onHeld();
    link.arm(wait, wait.overNs(nowNs));
    onReason(refusal, reason);
    return true;
  }

  /** The latest reason for which the peer is not ready. */
  void onReason(CallOutcome refusal, String reason) {
    outcome = refusal;
    text = reason;
  }

  /** The outcome of a call with an ended limit. */
  CallOutcome outcome() {
    return outcome;
  }

  /** The text of a call with an ended limit. */
  String text(PeerCall call) {
    ReadyWait wait = call.readyWait();
    return wait == null
        ? text
        : text + "; the call waited for " + HoconText.duration(wait.limitNs());
  }

  /** Takes a call out, wherever the call stands; false for a call that is not here. */
  boolean remove(PeerCall call) {
    boolean isHere = calls.remove(call);
    ReadyWait wait = call.readyWait();
    if (isHere && wait != null) {
      link.disarm(wait);
      budget.giveBack(wait.heldBytes());
      call.onReleased();
    }
    return isHere;
  }

  /** Takes the call with the shortest wait out, or null. */
  @Nullable PeerCall pollLast() {
    PeerCall last = calls.isEmpty() ? null : calls.getLast();
    if (last != null) {
      remove(last);
    }
    return last;
  }

  /** Takes the call with the longest wait out, or null. */
  @Nullable PeerCall poll() {
    PeerCall first = calls.isEmpty() ? null : calls.getFirst();
    if (first != null) {
      remove(first);
    }
    return first;
  }
}
