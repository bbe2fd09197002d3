package io.millrace.api;

import io.millrace.actor.peer.DeferredCall;
import io.millrace.actor.peer.DeferredHandler;
import io.millrace.actor.submission.FailureText;
import org.jspecify.annotations.Nullable;

/** Runs an application's handler for a call that the worker gave away. */
final class ExecutorHandler implements DeferredHandler {
  private final UnaryHandler handler;

  ExecutorHandler(UnaryHandler handler) {
    this.handler = handler;
  }

  @Override
  public void onCall(DeferredCall call) {
    UnaryCall request = new UnaryCall(call.peer(), call.priority(), call.headers(), call.payload());
    try {
      handler.handle(request).whenComplete((response, failure) -> answer(call, response, failure));
    } catch (Exception e) {
      call.fail(FailureText.of(e));
    }
  }

  private static void answer(
      DeferredCall call, @Nullable UnaryResponse response, @Nullable Throwable failure) {
    if (response != null) {
      call.answer(response.headers(), response.payload());
    } else {
      call.fail(failure == null ? "the handler answered null" : FailureText.of(failure));
    }
  }
}
