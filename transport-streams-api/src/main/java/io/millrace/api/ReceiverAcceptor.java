package io.millrace.api;

import io.millrace.access.admission.Caller;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.body.BodyAcceptor;
import io.millrace.ends.FirstEnd;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.Headers;
import java.util.Objects;
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

  /**
   * Asks an application's receiver for the target of a peer's bulk write.
   *
   * @param receiver chooses the target of the bytes
   * @param faults counts the receiver's exceptions
   */
  record Served(BulkReceiver receiver, HandlerFaults faults) implements BodyAcceptor {
    @Override
    public CompletionStage<? extends BodyTarget> accept(
        Caller caller, int priority, byte[] headers, long payloadBytes) throws Exception {
      CompletionStage<? extends BodyTarget> named;
      try {
        named =
            Objects.requireNonNull(
                new ReceiverAcceptor(receiver).accept(caller, priority, headers, payloadBytes),
                "the receiver answered null");
      } catch (Exception | Error e) {
        faults.onFailure(caller.peer(), e);
        throw e;
      }
      return named.whenComplete(
          new FirstEnd<BodyTarget>(
              (target, failure) -> {
                if (target == null) {
                  faults.onFailure(caller.peer(), failure);
                }
              },
              _ ->
                  faults.onFailure(
                      caller.peer(),
                      new IllegalStateException("the receiver's stage has ended more than once"))));
    }
  }
}
