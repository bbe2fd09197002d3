package io.millrace.api;

import io.millrace.access.PeerIdentity;
import io.millrace.body.RequestScreen;
import io.millrace.ends.FailureText;
import io.millrace.path.call.DeferredAnswer;
import io.millrace.path.call.InboundCall;
import io.millrace.path.call.InboundHandler;
import io.millrace.transfer.OverloadedException;
import io.millrace.wire.codec.CallStatus;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Runs an application's handler on the worker for the calls that the acceptor accepts. Without an
 * acceptor, a call costs no allocation except the view.
 *
 * @param screen the acceptor; asked on the worker if the request is whole already
 * @param handler the handler that answers
 * @param faults counts the handler's exceptions
 */
record WorkerRoute(RequestScreen screen, WorkerHandler handler, HandlerFaults faults)
    implements InboundHandler {
  @Override
  public void onCall(InboundCall call) {
    if (call.isScreened() || screen == RequestScreen.NONE || isAccepted(call)) {
      handle(call);
    }
  }

  private void handle(InboundCall call) {
    View view = new View(call, faults);
    try {
      handler.handle(view);
    } catch (OverloadedException e) {
      view.overloaded(e);
      return;
    } catch (RuntimeException | Error e) {
      faults.onFailure(call.caller().peer(), e);
      view.failed(e);
      throw e;
    }
    if (!view.isDeferred && !call.isAnswered()) {
      faults.onFailure(
          call.caller().peer(), new IllegalStateException("the handler did not answer"));
    }
  }

  private boolean isAccepted(InboundCall call) {
    byte[] headers = new byte[call.headersLength()];
    call.buffer().getBytes(call.headersOffset(), headers);
    return screen.takes(
        call.caller(), call.priority(), headers, call.payloadLength(), call::refuse);
  }

  /** The engine's call in the shape of the API. */
  private static final class View implements WorkerCall {
    private final InboundCall call;
    private final HandlerFaults faults;

    /** Whether the call was taken out of the worker's hands. */
    private boolean isDeferred;

    private @Nullable DeferredAnswer later;

    View(InboundCall call, HandlerFaults faults) {
      this.call = call;
      this.faults = faults;
    }

    @Override
    public String peer() {
      return call.caller().peer();
    }

    @Override
    public PeerIdentity identity() {
      return call.caller().identity();
    }

    @Override
    public int priority() {
      return call.priority();
    }

    @Override
    public DirectBuffer buffer() {
      return call.buffer();
    }

    @Override
    public int headersOffset() {
      return call.headersOffset();
    }

    @Override
    public int headersLength() {
      return call.headersLength();
    }

    @Override
    public int payloadOffset() {
      return call.payloadOffset();
    }

    @Override
    public int payloadLength() {
      return call.payloadLength();
    }

    @Override
    public void reply(DirectBuffer source, int offset, int length) {
      call.reply(source, offset, length);
    }

    @Override
    public MutableDirectBuffer reply(int headersLength, int payloadLength) {
      return call.reply(headersLength, payloadLength);
    }

    /** A handler that throws gives no answer later: answers a deferred call now. */
    void failed(Throwable why) {
      DeferredAnswer answer = later;
      if (answer != null) {
        answer.fail(CallStatus.HANDLER_FAILED, FailureText.of(why));
      }
    }

    /** Tells the caller so, unless the call was answered: {@link #defer} answers by itself. */
    void overloaded(OverloadedException why) {
      DeferredAnswer answer = isDeferred || call.isAnswered() ? later : call.defer().leave();
      isDeferred = true;
      if (answer != null) {
        answer.fail(CallStatus.OVERLOADED, FailureText.of(why), HandlerFailure.retryAfterMs(why));
      }
    }

    @Override
    public Later defer() throws OverloadedException {
      if (isDeferred || call.isAnswered()) {
        throw new IllegalStateException("the call was answered, or deferred before");
      }
      isDeferred = true;
      DeferredAnswer answer = call.defer().leave();
      if (answer == null) {
        throw new OverloadedException("no memory for another open request");
      }
      later = answer;
      return new Later(answer, faults);
    }
  }
}
