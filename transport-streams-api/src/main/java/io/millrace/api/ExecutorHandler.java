package io.millrace.api;

import io.millrace.actor.peer.DeferredCall;
import io.millrace.actor.peer.DeferredHandler;
import java.util.concurrent.CompletionException;
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
      call.fail(text(e));
    }
  }

  private static void answer(
      DeferredCall call, @Nullable UnaryResponse response, @Nullable Throwable failure) {
    if (response != null) {
      call.answer(response.headers(), response.payload());
    } else {
      call.fail(failure == null ? "the handler answered null" : text(failure));
    }
  }

  private static String text(Throwable failure) {
    Throwable cause = failure.getCause();
    Throwable shown = failure instanceof CompletionException && cause != null ? cause : failure;
    String message = shown.getMessage();
    return message == null ? shown.toString() : message;
  }
}
