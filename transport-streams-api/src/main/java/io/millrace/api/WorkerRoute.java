package io.millrace.api;

import io.millrace.body.RequestScreen;
import io.millrace.path.call.InboundCall;
import io.millrace.path.call.InboundHandler;

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
