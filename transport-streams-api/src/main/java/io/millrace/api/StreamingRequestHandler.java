package io.millrace.api;

import java.util.concurrent.CompletionStage;

/** Serves many requests with one response, on the application's executor. */
@FunctionalInterface
interface StreamingRequestHandler {
  /**
   * Answers one stream; the stage may be completed on any thread, before or after the last request.
   * What fails or is thrown fails the caller's stream with {@code HANDLER_FAILED}, and ends the
   * requests that were not taken: whoever takes them sees them fail, too. If the caller gives the
   * stream up first, or is lost, the handler is not run any more, or a {@link
   * java.util.concurrent.CompletableFuture} that it returned is cancelled, also after the last
   * request; requests that are all here already can still be taken.
   */
  CompletionStage<UnaryResponse> handle(StreamingCall call) throws Exception;
}
