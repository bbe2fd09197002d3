package io.millrace.api;

/** Serves one request with many responses, on the application's executor. */
@FunctionalInterface
interface StreamingResponseHandler {
  /**
   * Answers one call; what it throws fails the caller's stream with {@code HANDLER_FAILED}. It is
   * not run any more if the caller has given the stream up before.
   */
  StreamingResponse handle(UnaryCall call) throws Exception;
}
