package io.millrace.api;

import java.util.concurrent.CompletionStage;

/** Serves many requests with one response, on the application's executor. */
@FunctionalInterface
public interface StreamingRequestHandler {
  /**
   * Answers one stream; the stage may be completed on any thread, before or after the last request.
   * What fails or is thrown fails the caller's stream with {@code HANDLER_FAILED}.
   */
  CompletionStage<UnaryResponse> handle(StreamingCall call) throws Exception;
}
