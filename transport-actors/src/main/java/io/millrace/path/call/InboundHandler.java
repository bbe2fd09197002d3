package io.millrace.path.call;

import io.millrace.access.CallPattern;
import io.millrace.body.RequestScreen;

/** Serves one route on the worker's thread; never blocks. */
@FunctionalInterface
public interface InboundHandler {
  /** A request arrived; it is answered or deferred before this method returns. */
  void onCall(InboundCall call);

  /** How the route is used by whoever calls it. */
  default CallPattern pattern() {
    return CallPattern.UNARY;
  }

  /** Asked ahead of requests that come as bodies; of others the handler has the headers at once. */
  default RequestScreen screen() {
    return RequestScreen.NONE;
  }
}
