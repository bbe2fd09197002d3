package io.millrace.api.bulk;

import io.millrace.transfer.BodySource;
import java.util.concurrent.CompletionStage;

/** Decides what peers read from a route. Called on the transport's executor. */
@FunctionalInterface
public interface BulkProvider {
  /**
   * The source of this transfer, which then belongs to the transfer and is closed by it; a failed
   * stage refuses the transfer with its message. Headers that travel ahead of the bytes are the
   * source's: {@link BulkSource#withHeaders}.
   *
   * <p>A source may hold a file, a lock or a connection for as long as its peer is slow. How many
   * one peer may have open is for this method to bound: {@link BulkOffer} names the peer.
   *
   * @throws Exception refuses the transfer with this message: {@code OVERLOADED} if it is an {@link
   *     io.millrace.transfer.OverloadedException}, so may be tried again, else {@code REFUSED}
   */
  CompletionStage<BodySource> open(BulkOffer offer) throws Exception;
}
