package io.millrace.api.actor;

import java.util.concurrent.CompletableFuture;
import org.apache.pekko.NotUsed;

/**
 * A peer opened a stream of a served route; the handler tells the transport's actor.
 *
 * @param opened what the server is told, when the stream has an actor
 * @param taken completes when the stream's actor owns the ends; if it fails they are ended
 */
record StreamCame(
    ServedRoute<IncomingStream> route,
    Opening opened,
    StreamEnds ends,
    CompletableFuture<NotUsed> taken)
    implements TransportCommand {
  /** An {@link IncomingStream} that has no actor yet. */
  record Opening(String peer, int priority, byte[] headers, byte[] payload) {}
}
