package io.millrace.api;

import java.util.concurrent.CompletionStage;

/**
 * Serves a route on the application's executor. The handler may block as the executor allows. A
 * failed stage or an exception reaches the caller as {@link CallException} with {@code
 * HANDLER_FAILED} and the message's text. If the caller gives the call up first, by deadline or by
 * cancelling, or the path to the caller ends, the node no longer starts the handler. For a started
 * handler, the node cancels the returned {@link java.util.concurrent.CompletableFuture}. If other
 * code waits for the same future, return a copy.
 */
@FunctionalInterface
interface UnaryHandler {
  /** Answers one call; the stage may complete on any thread. */
  CompletionStage<UnaryResponse> handle(UnaryCall call) throws Exception;
}
