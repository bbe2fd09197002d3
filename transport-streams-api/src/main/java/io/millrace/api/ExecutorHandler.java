package io.millrace.api;

import io.millrace.actor.body.RequestScreen;
import io.millrace.actor.call.DeferredCall;
import io.millrace.actor.call.DeferredHandler;
import io.millrace.actor.call.InboundCall;
import io.millrace.actor.call.InboundHandler;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.actor.submission.FailureText;
import io.millrace.wire.codec.CallStatus;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Has an application's handler run on the executor for calls that the worker gives away. */
final class ExecutorHandler implements InboundHandler, DeferredHandler {
  /** What is done for a request. Any thread. */
  interface Work {
    /** Begins it. */
    CompletionStage<?> begin(UnaryCall call) throws Exception;

    /** Makes the answer of what it came to. */
    UnaryResponse encode(Object response);

    /** Work of two functions. */
    @SuppressWarnings("unchecked") // what is begun comes to what is encoded
    static <R> Work of(Begin<R> begin, Function<R, UnaryResponse> encoder) {
      return new Work() {
        @Override
        public CompletionStage<?> begin(UnaryCall call) throws Exception {
          return begin.begin(call);
        }

        @Override
        public UnaryResponse encode(Object response) {
          return encoder.apply((R) response);
        }
      };
    }
  }

  /** Begins work that comes to an {@code R}. */
  @FunctionalInterface
  interface Begin<R> {
    CompletionStage<R> begin(UnaryCall call) throws Exception;
  }

  private final RequestScreen screen;
  private final Work work;
  private final ExecutorLane lane;
  private final HandlerFaults faults;

  ExecutorHandler(RequestScreen screen, Work work, ExecutorLane lane, HandlerFaults faults) {
    this.faults = faults;
    this.screen = screen;
    this.work = work;
    this.lane = lane;
  }

  @Override
  public ExecutorLane lane() {
    return lane;
  }

  @Override
  public RequestScreen screen() {
    return screen;
  }

  @Override
  public void onCall(InboundCall call) {
    call.defer().handOver(this);
  }

  @Override
  public void onCall(DeferredCall call) {
    UnaryCall request =
        new UnaryCall(call.caller(), call.priority(), call.headers(), call.payload(), call.token());
    call.forgetRequest();
    if (isAccepted(call, request)) {
      handle(call, request);
    }
  }

  private boolean isAccepted(DeferredCall call, UnaryCall request) {
    return call.isScreened()
        || screen.takes(
            request.caller(),
            request.priority(),
            request.headers(),
            request.payload().length,
            call::refuse);
  }

  private void handle(DeferredCall call, UnaryCall request) {
    try {
      CompletionStage<?> answer =
          Objects.requireNonNull(work.begin(request), "the handler answered null");
      if (HandlerFuture.isOpen(answer)) {
        call.awaits(answer);
      }
      answer.whenComplete(call);
    } catch (Exception | Error e) {
      fail(call, e);
    }
  }

  @Override
  public void onAbandoned(Object work) {
    HandlerFuture.cancel((CompletionStage<?>) work);
  }

  @Override
  public void onEnd(DeferredCall call, @Nullable Object response, @Nullable Throwable failure) {
    if (response != null) {
      UnaryResponse answer;
      try {
        answer = work.encode(response);
      } catch (RuntimeException e) {
        fail(call, e);
        return;
      }
      call.answer(answer.headers(), answer.payload());
    } else if (failure == null) {
      faults.onFailure(call.peer(), null);
      call.fail(CallStatus.HANDLER_FAILED, "the handler answered null");
    } else {
      fail(call, failure);
    }
  }

  private void fail(DeferredCall call, Throwable failure) {
    faults.onFailure(call.peer(), failure);
    call.fail(HandlerFailure.statusOf(failure, CallStatus.HANDLER_FAILED), FailureText.of(failure));
  }
}
