package io.millrace.api;

import io.millrace.body.RequestScreen;
import io.millrace.path.call.InboundCall;
import io.millrace.path.call.InboundHandler;

/**
 * Has an application's handler run on the worker for calls that its acceptor takes; without one it
 * does not allocate but for the view.
 *
 * @param screen asked on the worker where the request is whole already
 * @param handler answers
 * @param faults what it throws
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
    try {
      handler.handle(new WorkerCallView(call));
    } catch (RuntimeException | Error e) {
      faults.onFailure(call.caller().peer(), e);
      throw e;
    }
    if (!call.isAnswered()) {
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
}
