package io.millrace.api;

import io.millrace.api.codec.CodecException;
import io.millrace.protocol.transfer.CallOutcome;

/** A call failed; {@link #outcome()} says how, the message says it for a person. */
public final class CallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final CallOutcome outcome;
  private final boolean isOfRequests;

  /** Creates the failure of one call; it carries no stack trace of the worker. */
  public CallException(CallOutcome outcome, String message) {
    this(outcome, message, false);
  }

  private CallException(CallOutcome outcome, String message, boolean isOfRequests) {
    super(outcome + ": " + message, null, false, false);
    this.outcome = outcome;
    this.isOfRequests = isOfRequests;
  }

  /** How the requests of a stream failed that this node serves. */
  static CallException ofRequests(CallOutcome outcome, String message) {
    return new CallException(outcome, message, true);
  }

  /** A message that could not be encoded or decoded. */
  CallException(CallOutcome outcome, CodecException failure) {
    super(outcome + ": " + failure.getMessage(), failure.getCause(), false, false);
    this.outcome = outcome;
    isOfRequests = false;
  }

  /** Whether it is how the requests of a stream failed that this node serves. */
  boolean isOfRequests() {
    return isOfRequests;
  }

  /** The message without the outcome. */
  String text() {
    return String.valueOf(getMessage()).substring(outcome.name().length() + 2);
  }

  /** How the call ended; never {@link CallOutcome#OK}. */
  public CallOutcome outcome() {
    return outcome;
  }
}
