package io.millrace.api;

import io.millrace.api.codec.CodecException;
import io.millrace.protocol.transfer.CallOutcome;

/** A call failed; {@link #outcome()} says how, the message says it for a person. */
public final class CallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final CallOutcome outcome;

  /** Creates the failure of one call; it carries no stack trace of the worker. */
  public CallException(CallOutcome outcome, String message) {
    super(outcome + ": " + message, null, false, false);
    this.outcome = outcome;
  }

  /** A message that could not be encoded or decoded. */
  CallException(CallOutcome outcome, CodecException failure) {
    super(outcome + ": " + failure.getMessage(), failure.getCause(), false, false);
    this.outcome = outcome;
  }

  /** How the call ended; never {@link CallOutcome#OK}. */
  public CallOutcome outcome() {
    return outcome;
  }
}
