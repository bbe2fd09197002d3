package io.millrace.api.bulk;

import io.millrace.transfer.BodySource;
import java.util.concurrent.CompletionStage;

/**
 * Chooses the source for each bulk read of a route by a peer. Called on the transport's executor.
 */
@FunctionalInterface
public interface BulkProvider {
  /**
   * Returns the source of this transfer. The source then belongs to the transfer, which closes the
   * source; a failed stage refuses the transfer with the exception's message. The source provides
   * the headers ahead of the bytes: {@link BulkSource#withHeaders}.
   *
   * <p>A source may hold a file, a lock or a connection for as long as its peer is slow. This
   * method must bound the number of open sources of one peer: {@link BulkOffer} names the peer.
   *
   * @throws Exception refuses the transfer with this message: {@code OVERLOADED} for an {@link
   *     io.millrace.transfer.OverloadedException}, so the peer may try again, else {@code REFUSED}
   */
  CompletionStage<BodySource> open(BulkOffer offer) throws Exception;
}
