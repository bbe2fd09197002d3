package io.millrace.api.bulk;

import io.millrace.transfer.BodyTarget;
import java.util.concurrent.CompletionStage;

/**
 * Chooses the target for the bytes of a peer's bulk write, or of an answer to a bulk read, by the
 * headers ahead of the bytes. Called on the transport's executor.
 */
@FunctionalInterface
public interface BulkReceiver {
  /**
   * Returns the target of this transfer. The target then belongs to the transfer; a failed stage
   * refuses the transfer with the exception's message. The target provides the headers of the
   * answer to a write: {@link BulkTarget#withHeaders}.
   *
   * <p>A target may hold a file, a lock or a connection for as long as its peer is slow. This
   * method must bound the number of open targets of one peer: {@link BulkOffer} names the peer.
   *
   * @throws Exception refuses the transfer with this message: {@code OVERLOADED} for an {@link
   *     io.millrace.transfer.OverloadedException}, so the peer may try again, else {@code REFUSED}
   */
  CompletionStage<BodyTarget> accept(BulkOffer offer) throws Exception;
}
