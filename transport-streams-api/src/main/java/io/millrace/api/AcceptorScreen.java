package io.millrace.api;

import io.millrace.actor.access.Caller;
import io.millrace.actor.body.RequestScreen;
import io.millrace.transfer.Headers;

/**
 * Asks an application's acceptor.
 *
 * @param acceptor says what is wanted
 */
record AcceptorScreen(RequestAcceptor acceptor) implements RequestScreen {
  /** What asks this acceptor, unless it takes everything. */
  static RequestScreen of(RequestAcceptor acceptor) {
    return acceptor == RequestAcceptor.ALL ? NONE : new AcceptorScreen(acceptor);
  }

  @Override
  public void screen(Caller caller, int priority, byte[] headers, long payloadBytes)
      throws Exception {
    acceptor.accept(
        new RequestOffer(
            caller.peer(), caller.identity(), priority, Headers.decode(headers), payloadBytes));
  }
}
