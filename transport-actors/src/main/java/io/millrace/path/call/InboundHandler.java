package io.millrace.path.call;

import io.millrace.access.CallPattern;
import io.millrace.body.RequestScreen;

/** Serves one route on the worker's thread; never blocks. */
@FunctionalInterface
public interface InboundHandler {
  /** A request arrived; it is answered or deferred before this method returns. */
  void onCall(InboundCall call);

  /** The pattern of the route, as callers use the route. */
  default CallPattern pattern() {
    return CallPattern.UNARY;
  }

  /**
   * The screen asked ahead of requests arriving as bodies; for other requests the handler has the
   * headers at once.
   */
  default RequestScreen screen() {
    return RequestScreen.NONE;
  }
}
