package io.millrace.api;

/** Serves many requests with many responses, on the application's executor. */
@FunctionalInterface
interface BidirectionalHandler {
  /**
   * Answers one stream; what it throws fails the caller's stream with {@code HANDLER_FAILED}. A
   * caller that wants no responses any more may still send requests; the {@link StreamingResponse}
   * says how the handler learns of it.
   */
  StreamingResponse handle(StreamingCall call) throws Exception;
}
