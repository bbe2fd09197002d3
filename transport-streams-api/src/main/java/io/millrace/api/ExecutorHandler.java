package io.millrace.api;

import io.millrace.access.admission.Caller;
import io.millrace.body.RequestScreen;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.FailureText;
import io.millrace.path.call.DeferredAnswer;
import io.millrace.path.call.DeferredCall;
import io.millrace.path.call.DeferredHandler;
import io.millrace.path.call.InboundCall;
import io.millrace.path.call.InboundHandler;
import io.millrace.transfer.CausalityToken;
import io.millrace.wire.codec.CallStatus;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs an application's handler on the executor, for calls handed over by the worker. */
final class ExecutorHandler implements InboundHandler, DeferredHandler {
  /** The work for a request. Any thread. */
  interface Work {
    /** Begins the work. */
    CompletionStage<?> begin(UnaryCall call) throws Exception;

    /** Encodes the result of the work as the answer. */
    UnaryResponse encode(Object response);

    /** Returns work composed of two functions. */
    @SuppressWarnings("unchecked") // the begun work ends in an R, which the encoder takes
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

  /** Begins work with an {@code R} as result. */
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
  public void onCall(DeferredCall call, DeferredAnswer answer) {
    UnaryCall request =
        new UnaryCall(call.caller(), call.priority(), call.headers(), call.payload(), call.token());
    boolean isScreened = call.isScreened();
    call.forgetRequest();
    if (isScreened || isAccepted(request, answer)) {
      handle(request, answer);
    }
  }

  private boolean isAccepted(UnaryCall request, DeferredAnswer answer) {
    return screen.takes(
        request.caller(),
        request.priority(),
        request.headers(),
        request.payload().length,
        answer::refuse);
  }

  private void handle(UnaryCall request, DeferredAnswer answer) {
    try {
      CompletionStage<?> given =
          Objects.requireNonNull(work.begin(request), "the handler answered null");
      if (HandlerFuture.isOpen(given)) {
        answer.awaits(given);
      }
      given.whenComplete(answer);
    } catch (Exception | Error e) {
      fail(answer, e);
    }
  }

  @Override
  public void onAbandoned(Object work) {
    HandlerFuture.cancel((CompletionStage<?>) work);
  }

  @Override
  public void onRepeated(DeferredAnswer answer) {
    faults.onFailure(
        answer.peer(), new IllegalStateException("the handler's stage has ended more than once"));
  }

  @Override
  public void onEnd(DeferredAnswer answer, @Nullable Object response, @Nullable Throwable failure) {
    if (response != null) {
      UnaryResponse encoded;
      try {
        encoded = Objects.requireNonNull(work.encode(response), "the encoded answer is null");
      } catch (RuntimeException | Error e) {
        fail(answer, e);
        return;
      }
      answer.answer(encoded.headers(), encoded.payload());
    } else if (failure == null) {
      faults.onFailure(answer.peer(), null);
      answer.fail(CallStatus.HANDLER_FAILED, "the handler answered null");
    } else {
      fail(answer, failure);
    }
  }

  private void fail(DeferredAnswer answer, Throwable failure) {
    faults.onFailure(answer.peer(), failure);
    answer.fail(
        HandlerFailure.statusOf(failure, CallStatus.HANDLER_FAILED),
        FailureText.of(failure),
        HandlerFailure.retryAfterMs(failure));
  }

  /**
   * A unary call for a handler to answer; the handler owns the arrays.
   *
   * @param caller the calling peer
   * @param priority the priority that the caller chose, 0 to 7
   * @param headers the caller's headers
   * @param payload the request
   * @param token the token of the call at this node, or null
   */
  record UnaryCall(
      Caller caller, int priority, byte[] headers, byte[] payload, @Nullable CausalityToken token) {
    UnaryCall(Caller caller, int priority, byte[] headers, byte[] payload) {
      this(caller, priority, headers, payload, null);
    }

    /** Returns the identity of the caller: the caller's handshake address. */
    String peer() {
      return caller.peer();
    }
  }
}
