package io.millrace.api;

import io.millrace.api.bulk.PlacementException;
import io.millrace.ends.FailureText;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.MalformedHeadersException;
import io.millrace.transfer.OverloadedException;
import io.millrace.wire.codec.CallStatus;

/** What the caller is told of a failure at the side that serves. */
final class HandlerFailure {
  private HandlerFailure() {}

  /** The status of a failure, or {@code usual} if it has none of its own. */
  static CallStatus statusOf(Throwable failure, CallStatus usual) {
    return switch (FailureText.cause(failure)) {
      case UndecodedRequestException _, MalformedHeadersException _ ->
          CallStatus.REQUEST_NOT_DECODED;
      case PlacementException _ -> CallStatus.REFUSED;
      case OverloadedException _ -> CallStatus.OVERLOADED;
      case LongHeadersException _ -> CallStatus.RESPONSE_TOO_LARGE;
      case CallException e when isLongRequest(e) -> CallStatus.PAYLOAD_TOO_LARGE;
      default -> usual;
    };
  }

  /** What is told beside the status. */
  static String textOf(Throwable failure) {
    return FailureText.cause(failure) instanceof CallException e && isLongRequest(e)
        ? e.text()
        : FailureText.of(failure);
  }

  /**
   * Whether a request of the stream was too long: the handler is not to blame, and is not named.
   */
  private static boolean isLongRequest(CallException failure) {
    return failure.isOfRequests() && failure.outcome() == CallOutcome.PAYLOAD_TOO_LARGE;
  }
}
