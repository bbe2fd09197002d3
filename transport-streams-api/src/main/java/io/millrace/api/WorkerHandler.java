package io.millrace.api;

/**
 * Serves a route on the worker's own thread, without a hand-over and without allocation. The
 * handler must not block, and must answer before returning. An exception reaches the caller as
 * {@code HANDLER_FAILED}.
 */
@FunctionalInterface
public interface WorkerHandler {
  /** Answers one call; {@code call} and its memory are valid until this method returns. */
  void handle(WorkerCall call);
}
