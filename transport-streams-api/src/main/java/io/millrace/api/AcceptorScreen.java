package io.millrace.api;

import io.millrace.access.admission.Caller;
import io.millrace.body.RequestScreen;
import io.millrace.transfer.Headers;

/**
 * Asks an application's acceptor.
 *
 * @param acceptor says what is wanted
 * @param faults the errors that it throws; its exceptions are answers
 */
record AcceptorScreen(RequestAcceptor acceptor, HandlerFaults faults) implements RequestScreen {
  /** What asks this acceptor, unless it takes everything. */
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
