package io.millrace.api.bulk;

/**
 * A bulk transfer whose headers are there: one that a peer asks for, or its answer to a read. The
 * receiver owns the array.
 *
 * @param peer identity of the other side: its handshake address
 * @param priority 0 to 7, as the caller chose
 * @param headers the other side's headers: what is transferred, in the application's own terms
 * @param lengthBytes bytes that the other side will send, or {@link
 *     io.millrace.actor.body.BodySource#UNKNOWN_LENGTH}; also unknown when it wants to read
 */
public record BulkOffer(String peer, int priority, byte[] headers, long lengthBytes) {}
