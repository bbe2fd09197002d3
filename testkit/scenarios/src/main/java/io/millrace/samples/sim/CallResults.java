package io.millrace.samples.sim;

import io.millrace.api.CallException;
import io.millrace.ends.FailureText;
import io.millrace.samples.sim.PlannedCall.Fate;
import io.millrace.samples.sim.PlannedCall.Kind;
import io.millrace.testkit.sim.Outcome;
import io.millrace.transfer.CallOutcome;
import java.util.concurrent.CancellationException;

/** Derives from the outcome of a call whether the call was executed. */
final class CallResults {
  private static final int LEAST_MESSAGE_BYTES = 200_000;

  private CallResults() {}

  /** Returns the outcome of a call with this failure. */
  static CallOutcome outcome(Throwable failure) {
    return switch (FailureText.cause(failure)) {
      case CallException e -> e.outcome();
      case CancellationException _ -> CallOutcome.CANCELLED;
      default -> throw new IllegalArgumentException("a call failed with " + failure, failure);
    };
  }

  /** Returns the caller's knowledge after this outcome. */
  static Outcome meaning(PlannedCall call, CallOutcome outcome) {
    return switch (outcome) {
      case OK -> Outcome.DONE;
      case UNKNOWN_ROUTE,
          NOT_AUTHORISED,
          OVERLOADED,
          SHUTTING_DOWN,
          PAYLOAD_TOO_LARGE,
          HANDSHAKE_FAILED,
          PEER_UNREACHABLE,
          SUBMISSION_FULL,
          DEPENDENCY_EXPIRED ->
          Outcome.REJECTED;
      // A broken body must never have been completed.
      case SOURCE_FAILED, TARGET_FAILED, REFUSED ->
          call.kind() == Kind.WRITE ? Outcome.REJECTED : Outcome.FAILED;
      case HANDLER_FAILED,
          RESPONSE_TOO_LARGE,
          RESPONSE_DROPPED,
          REQUEST_NOT_DECODED,
          RESPONSE_NOT_DECODED ->
          Outcome.FAILED;
      case PEER_UNRESPONSIVE,
          PEER_RESET,
          PEER_FAULT,
          CLOSED,
          NOT_AUTHENTIC,
          CANCELLED,
          EXPIRED,
          WORKER_STOPPED,
          DEPENDENCY_FAILED ->
          Outcome.INDETERMINATE;
    };
  }

  /**
   * Returns whether this call may have this outcome at all, if the call does not end early.
   *
   * @param mostBytes the largest message that both ends take
   */
  static boolean isPossible(PlannedCall call, CallOutcome outcome, int mostBytes) {
    Fate fate = call.fate();
    boolean isMessage = call.kind() == Kind.UNARY || call.kind() == Kind.ON_WORKER;
    return switch (outcome) {
      case OK -> fate == Fate.PLAIN || fate == Fate.SLOW || mayEndBefore(call);
      // A worker's handler hears that its answer is too large, and fails with this error.
      case HANDLER_FAILED ->
          fate == Fate.HANDLER_FAILS
              || (call.kind() == Kind.ON_WORKER && call.answerBytes() > LEAST_MESSAGE_BYTES);
      case REFUSED -> fate != Fate.PLAIN && fate != Fate.SLOW;
      case SOURCE_FAILED -> fate == Fate.SOURCE_FAILS;
      case TARGET_FAILED -> fate == Fate.TARGET_FAILS || fate == Fate.CANCELLED;
      case PAYLOAD_TOO_LARGE ->
          isMessage && PlannedMessages.encodedBytes(call.headersBytes()) + call.bytes() > mostBytes;
      case RESPONSE_TOO_LARGE ->
          isMessage && PlannedMessages.encodedBytes(Long.BYTES) + call.answerBytes() > mostBytes;
      // Messages here are bytes, so decoding never fails; an early end is not a matter of fate.
      case UNKNOWN_ROUTE, CANCELLED, EXPIRED, REQUEST_NOT_DECODED, RESPONSE_NOT_DECODED -> false;
      default -> true;
    };
  }

  /** Returns whether a body may be whole before its target can cancel the rest. */
  private static boolean mayEndBefore(PlannedCall call) {
    return call.fate() == Fate.CANCELLED;
  }
}
