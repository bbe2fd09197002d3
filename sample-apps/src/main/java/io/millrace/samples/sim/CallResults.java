package io.millrace.samples.sim;

import io.millrace.api.CallException;
import io.millrace.ends.FailureText;
import io.millrace.samples.sim.PlannedCall.Fate;
import io.millrace.samples.sim.PlannedCall.Kind;
import io.millrace.testkit.sim.Outcome;
import io.millrace.transfer.CallOutcome;
import java.util.concurrent.CancellationException;

/** What the outcome of a call says about its execution. */
final class CallResults {
  private static final int LEAST_MESSAGE_BYTES = 200_000;

  /** Less than this fits the smallest datagram that a path shrinks to. */
  private static final int LEAST_FRAME_BYTES = 1_000;

  private static final String NO_LONGER_FITS = " any more; the call was executed";

  private CallResults() {}

  /** How the call ended that failed with this. */
  static CallOutcome outcome(Throwable failure) {
    return switch (FailureText.cause(failure)) {
      case CallException e -> e.outcome();
      case CancellationException _ -> CallOutcome.CANCELLED;
      default -> throw new IllegalArgumentException("a call failed with " + failure, failure);
    };
  }

  /** What its caller knows then. */
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
      // A body that broke off must never have been completed.
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
   * Whether this call may end so at all, if it does not end early.
   *
   * @param text what it says
   * @param mostBytes the largest message that both ends take
   */
  static boolean isPossible(PlannedCall call, CallOutcome outcome, String text, int mostBytes) {
    Fate fate = call.fate();
    boolean isMessage = call.kind() == Kind.UNARY || call.kind() == Kind.ON_WORKER;
    return switch (outcome) {
      case OK -> fate == Fate.PLAIN || fate == Fate.SLOW || mayEndBefore(call);
      // A worker's handler is told that its answer is too large, and fails with that.
      case HANDLER_FAILED ->
          fate == Fate.HANDLER_FAILS
              || (call.kind() == Kind.ON_WORKER && call.answerBytes() > LEAST_MESSAGE_BYTES);
      case REFUSED -> fate != Fate.PLAIN && fate != Fate.SLOW;
      case SOURCE_FAILED -> fate == Fate.SOURCE_FAILS;
      case TARGET_FAILED -> fate == Fate.TARGET_FAILS || fate == Fate.CANCELLED;
      case PAYLOAD_TOO_LARGE ->
          isMessage && PlannedMessages.encodedBytes(call.headersBytes()) + call.bytes() > mostBytes;
      case RESPONSE_TOO_LARGE ->
          isMessage
              && (PlannedMessages.encodedBytes(Long.BYTES) + call.answerBytes() > mostBytes
                  || (call.answerBytes() > LEAST_FRAME_BYTES && text.contains(NO_LONGER_FITS)));
      // These are of bytes, and whether they end early is not a matter of their fate.
      case UNKNOWN_ROUTE, CANCELLED, EXPIRED, REQUEST_NOT_DECODED, RESPONSE_NOT_DECODED -> false;
      default -> true;
    };
  }

  /** A body may be whole before its target can say that it does not want the rest. */
  private static boolean mayEndBefore(PlannedCall call) {
    return call.fate() == Fate.CANCELLED;
  }
}
