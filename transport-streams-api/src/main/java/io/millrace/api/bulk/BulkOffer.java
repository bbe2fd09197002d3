package io.millrace.api.bulk;

import io.millrace.access.PeerIdentity;
import io.millrace.transfer.Headers;

/**
 * A bulk transfer with its headers, before the bytes: a peer's request, or a peer's answer to a
 * read.
 *
 * @param peer identity of the other side: the handshake address
 * @param identity the identity of the other side as proved by the handshake
 * @param priority the priority that the caller chose, 0 to 7
 * @param headers the other side's headers: a description of the transfer in the application's own
 *     terms
 * @param lengthBytes the number of bytes from the other side, or {@link
 *     io.millrace.transfer.BodySource#UNKNOWN_LENGTH}; also unknown when the other side wants to
 *     read
 */
public record BulkOffer(
    String peer, PeerIdentity identity, int priority, Headers headers, long lengthBytes) {}
