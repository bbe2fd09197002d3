package io.millrace.api;

import io.millrace.transfer.OverloadedException;

/**
 * Serves a route on the worker's own thread, without a hand-over and without allocation. The
 * handler must not block, and must answer before returning, or take the right to answer later by
 * {@link WorkerCall#defer}. An exception reaches the caller as {@code HANDLER_FAILED}.
 */
@FunctionalInterface
public interface WorkerHandler {
  /**
   * Answers one call; {@code call} and its memory are valid until this method returns.
   *
   * @throws OverloadedException if the node has no room for the request: the caller gets {@code
   *     OVERLOADED}
   */
  void handle(WorkerCall call) throws OverloadedException;
}
