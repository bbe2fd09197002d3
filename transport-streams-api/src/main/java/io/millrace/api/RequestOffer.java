package io.millrace.api;

import io.millrace.access.PeerIdentity;
import io.millrace.transfer.Headers;

/**
 * A request of which no more is known than its headers.
 *
 * @param peer identity of the caller: its handshake address
 * @param identity what the handshake proved of the caller
 * @param priority 0 to 7, as the caller chose
 * @param headers the caller's headers
 * @param payloadBytes of the one request; 0 of a stream of requests
 */
public record RequestOffer(
    String peer, PeerIdentity identity, int priority, Headers headers, long payloadBytes) {}
