package io.millrace.api.bulk;

import io.millrace.actor.body.BodyTarget;
import java.util.concurrent.CompletionStage;

/** Decides where the bytes that peers write to a route go. Called on the transport's executor. */
@FunctionalInterface
public interface BulkReceiver {
  /**
   * The target of this transfer, which then belongs to the transfer; a failed stage refuses the
   * transfer with its message.
   *
   * @throws Exception refuses the transfer with this message
   */
  CompletionStage<BodyTarget> accept(BulkOffer offer) throws Exception;
}
