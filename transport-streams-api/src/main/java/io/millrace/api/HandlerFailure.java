package io.millrace.api;

import io.millrace.actor.submission.FailureText;
import io.millrace.wire.codec.CallStatus;

/** What the caller is told of a failure at the side that serves. */
final class HandlerFailure {
  private HandlerFailure() {}

  /** The status of a failure, or {@code usual} if it has none of its own. */
  static CallStatus statusOf(Throwable failure, CallStatus usual) {
    return FailureText.cause(failure) instanceof UndecodedRequestException
        ? CallStatus.REQUEST_NOT_DECODED
        : usual;
  }
}
