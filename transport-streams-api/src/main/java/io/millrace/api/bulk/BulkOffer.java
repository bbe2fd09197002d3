package io.millrace.api.bulk;

import io.millrace.access.PeerIdentity;
import io.millrace.transfer.Headers;

/**
 * A bulk transfer whose headers are there: one that a peer asks for, or its answer to a read.
 *
 * @param peer identity of the other side: its handshake address
 * @param identity what the handshake proved of the other side
 * @param priority 0 to 7, as the caller chose
 * @param headers the other side's headers: what is transferred, in the application's own terms
 * @param lengthBytes bytes that the other side will send, or {@link
 *     io.millrace.transfer.BodySource#UNKNOWN_LENGTH}; also unknown when it wants to read
 */
public record BulkOffer(
    String peer, PeerIdentity identity, int priority, Headers headers, long lengthBytes) {}
