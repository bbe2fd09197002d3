package io.millrace.api;

import io.millrace.actor.peer.DeferredCall;
import io.millrace.actor.peer.DeferredHandler;
import io.millrace.actor.submission.FailureText;
import io.millrace.wire.codec.CallStatus;
import java.util.concurrent.CompletionStage;
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
      CompletionStage<UnaryResponse> answer = handler.handle(request);
      if (HandlerFuture.isOpen(answer)) {
        call.onAbandoned(() -> HandlerFuture.cancel(answer));
      }
      answer.whenComplete((response, failure) -> answer(call, response, failure));
    } catch (Exception e) {
      fail(call, e);
    }
  }

  private static void answer(
      DeferredCall call, @Nullable UnaryResponse response, @Nullable Throwable failure) {
    if (response != null) {
      call.answer(response.headers(), response.payload());
    } else if (failure == null) {
      call.fail(CallStatus.HANDLER_FAILED, "the handler answered null");
    } else {
      fail(call, failure);
    }
  }

  private static void fail(DeferredCall call, Throwable failure) {
    call.fail(HandlerFailure.statusOf(failure, CallStatus.HANDLER_FAILED), FailureText.of(failure));
  }
}
