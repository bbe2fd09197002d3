package io.millrace.api;

import java.util.concurrent.CompletionStage;

/**
 * Serves a route on the application's executor. It may block as that executor allows. A failed
 * stage or an exception reaches the caller as {@link CallException} with {@code HANDLER_FAILED} and
 * the message's text. If the caller gives the call up first, by its deadline or by cancelling, or
 * the path to it ends, the handler is not run any more, or a {@link
 * java.util.concurrent.CompletableFuture} that it returned is cancelled; return a copy of one that
 * others wait for, too.
 */
@FunctionalInterface
interface UnaryHandler {
  /** Answers one call; the stage may be completed on any thread. */
  CompletionStage<UnaryResponse> handle(UnaryCall call) throws Exception;
}
