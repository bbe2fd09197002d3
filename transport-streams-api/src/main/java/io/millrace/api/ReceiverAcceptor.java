package io.millrace.api;

import io.millrace.access.admission.Caller;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.body.BodyAcceptor;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.Headers;
import java.util.concurrent.CompletionStage;

/**
 * Asks an application's receiver for the target of a body.
 *
 * @param receiver chooses the target of the bytes
 */
record ReceiverAcceptor(BulkReceiver receiver) implements BodyAcceptor {
  @Override
  public CompletionStage<? extends BodyTarget> accept(
      Caller caller, int priority, byte[] headers, long payloadBytes) throws Exception {
    return receiver.accept(
        new BulkOffer(
            caller.peer(), caller.identity(), priority, Headers.decode(headers), payloadBytes));
  }
}
