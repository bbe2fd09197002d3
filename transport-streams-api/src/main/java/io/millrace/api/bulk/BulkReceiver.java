package io.millrace.api.bulk;

import io.millrace.transfer.BodyTarget;
import java.util.concurrent.CompletionStage;

/**
 * Decides where bytes go that peers write to a route, or that a read brings, by the headers ahead
 * of them. Called on the transport's executor.
 */
@FunctionalInterface
public interface BulkReceiver {
  /**
   * The target of this transfer, which then belongs to the transfer; a failed stage refuses the
   * transfer with its message. What a write is answered with besides its length is the target's
   * affair: {@link BulkTarget#withHeaders}.
   *
   * <p>A target may hold a file, a lock or a connection for as long as its peer is slow. How many
   * one peer may have open is for this method to bound: {@link BulkOffer} names the peer.
   *
   * @throws Exception refuses the transfer with this message: {@code OVERLOADED} if it is an {@link
   *     io.millrace.transfer.OverloadedException}, so may be tried again, else {@code REFUSED}
   */
  CompletionStage<BodyTarget> accept(BulkOffer offer) throws Exception;
}
