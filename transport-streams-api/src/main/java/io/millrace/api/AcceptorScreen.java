package io.millrace.api;

import io.millrace.access.admission.Caller;
import io.millrace.body.RequestScreen;
import io.millrace.transfer.Headers;

/**
 * Asks an application's acceptor about each request.
 *
 * @param acceptor accepts or refuses a request
 * @param faults counts the acceptor's errors; exceptions of the acceptor are answers
 */
record AcceptorScreen(RequestAcceptor acceptor, HandlerFaults faults) implements RequestScreen {
  /** Returns a screen that asks this acceptor, or no screen for an acceptor of all requests. */
  static RequestScreen of(RequestAcceptor acceptor, HandlerFaults faults) {
    return acceptor == RequestAcceptor.ALL ? NONE : new AcceptorScreen(acceptor, faults);
  }

  @Override
  public void screen(Caller caller, int priority, byte[] headers, long payloadBytes)
      throws Exception {
    try {
      acceptor.accept(
          new RequestOffer(
              caller.peer(), caller.identity(), priority, Headers.decode(headers), payloadBytes));
    } catch (Error e) {
      faults.onFailure(caller.peer(), e);
      throw e;
    }
  }
}
