package io.millrace.api.bulk;

/**
 * A bulk transfer that a peer asks for; the receiver owns the array.
 *
 * @param peer identity of the caller: its handshake address
 * @param priority 0 to 7, as the caller chose
 * @param headers the caller's headers: what is transferred, in the application's own terms
 * @param lengthBytes bytes that the caller will send, or {@link
 *     io.millrace.actor.body.BodySource#UNKNOWN_LENGTH}; also unknown when the caller wants to read
 */
public record BulkOffer(String peer, int priority, byte[] headers, long lengthBytes) {}
