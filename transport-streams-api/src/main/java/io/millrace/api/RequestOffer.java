package io.millrace.api;

import io.millrace.access.PeerIdentity;
import io.millrace.transfer.Headers;

/**
 * A request before its payload has arrived, known by its headers.
 *
 * @param peer identity of the caller: the caller's handshake address
 * @param identity the caller's identity as proved by the handshake
 * @param priority the priority that the caller chose, 0 to 7
 * @param headers the caller's headers
 * @param payloadBytes the size of the single request; 0 for a stream of requests
 */
public record RequestOffer(
    String peer, PeerIdentity identity, int priority, Headers headers, long payloadBytes) {}
