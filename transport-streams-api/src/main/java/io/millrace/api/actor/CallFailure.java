package io.millrace.api.actor;

import io.millrace.actor.submission.FailureText;
import io.millrace.api.CallException;
import io.millrace.protocol.transfer.CallOutcome;

/** What an actor is told of something that failed. */
record CallFailure(CallOutcome outcome, String text) {
  /** The failure of a call, of a stream, or of what was thrown before there was one. */
  static CallFailure of(Throwable failure) {
    Throwable shown = FailureText.cause(failure);
    CallOutcome outcome =
        shown instanceof CallException call ? call.outcome() : CallOutcome.HANDLER_FAILED;
    return new CallFailure(outcome, FailureText.of(shown));
  }
}
