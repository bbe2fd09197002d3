package io.millrace.api.actor;

/**
 * A peer opened a stream of a served route; the handler tells the transport's actor.
 *
 * @param opened what the server is told, when the stream has an actor
 */
record StreamCame(ServedRoute<IncomingStream> route, Opening opened, StreamEnds ends)
    implements TransportCommand {
  /** An {@link IncomingStream} that has no actor yet. */
  record Opening(String peer, int priority, byte[] headers, byte[] payload) {}
}
