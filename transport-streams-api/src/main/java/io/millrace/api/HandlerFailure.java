package io.millrace.api;

import io.millrace.wire.codec.CallStatus;
import java.util.concurrent.CompletionException;

/** What the caller is told of a failure at the side that serves. */
final class HandlerFailure {
  private HandlerFailure() {}

  /** The status of a failure, or {@code usual} if it has none of its own. */
  static CallStatus statusOf(Throwable failure, CallStatus usual) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof UndecodedRequestException ? CallStatus.REQUEST_NOT_DECODED : usual;
  }
}
