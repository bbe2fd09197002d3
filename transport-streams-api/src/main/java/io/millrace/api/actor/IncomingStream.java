package io.millrace.api.actor;

import org.apache.pekko.actor.typed.ActorRef;

/**
 * A stream that a peer opened. An actor takes it over with {@link StreamCommand.Accept}, or refuses
 * it with {@link StreamCommand.Fail}; until then nothing is read, and the stream ends when the
 * serving actor stops. The actor owns the arrays.
 *
 * @param peer identity of the caller: its handshake address
 * @param priority 0 to 7, as the caller chose
 * @param headers the caller's headers
 * @param payload the request of a streaming response; empty otherwise
 * @param stream takes commands
 */
public record IncomingStream(
    String peer, int priority, byte[] headers, byte[] payload, ActorRef<StreamCommand> stream) {}
