package io.millrace.api.actor;

import io.millrace.actor.submission.FailureText;
import io.millrace.api.CallException;
import io.millrace.protocol.transfer.CallOutcome;
import java.util.concurrent.CancellationException;

/** What an actor is told of something that failed. */
record CallFailure(CallOutcome outcome, String text) {
  /** The failure of a call, of a stream, or of what was thrown before there was one. */
  static CallFailure of(Throwable failure) {
    Throwable shown = FailureText.cause(failure);
    return switch (shown) {
      case CallException call -> new CallFailure(call.outcome(), FailureText.of(call));
      case CancellationException _ -> new CallFailure(CallOutcome.CANCELLED, "cancelled");
      default -> new CallFailure(CallOutcome.HANDLER_FAILED, FailureText.of(shown));
    };
  }
}
