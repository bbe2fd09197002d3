package io.millrace.api;

import io.millrace.api.bulk.PlacementException;
import io.millrace.ends.FailureText;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.MalformedHeadersException;
import io.millrace.transfer.OverloadedException;
import io.millrace.wire.codec.CallStatus;

/** The status and text that a caller gets for a failure at the serving side. */
final class HandlerFailure {
  private HandlerFailure() {}

  /**
   * Returns the status of a failure, or {@code usual} for a failure without a status of its own.
   */
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

  /** Returns the time that the failure asks the caller to stay away for, ms; 0 for none. */
  static int retryAfterMs(Throwable failure) {
    return FailureText.cause(failure) instanceof OverloadedException overloaded
        ? Math.clamp(overloaded.retryAfter().toMillis(), 0, Integer.MAX_VALUE)
        : 0;
  }

  /** Returns the text beside the status. */
  static String textOf(Throwable failure) {
    if (FailureText.cause(failure) instanceof CallException e && e.isOfRequests()) {
      // The caller knows the route and itself.
      return isLongRequest(e) ? e.reason() : e.outcome() + ": " + e.reason();
    }
    return FailureText.of(failure);
  }

  /**
   * Whether a request of the stream was too long: the text then does not name the handler, which is
   * not at fault.
   */
  private static boolean isLongRequest(CallException failure) {
    return failure.isOfRequests() && failure.outcome() == CallOutcome.PAYLOAD_TOO_LARGE;
  }

  /** The headers of a response are longer than the node's limit. */
  static final class LongHeadersException extends RuntimeException implements IntendedFailure {
    private static final long serialVersionUID = 1;

    LongHeadersException(String problem) {
      super(problem);
    }
  }

  /**
   * The failure of a transfer with an undecodable request: the caller gets {@code
   * REQUEST_NOT_DECODED}.
   */
  static final class UndecodedRequestException extends RuntimeException implements IntendedFailure {
    private static final long serialVersionUID = 1L;

    UndecodedRequestException(Throwable cause) {
      super(cause.getMessage(), cause, false, false);
    }
  }
}
