package io.millrace.api;

/**
 * A request of which no more is known than its headers, which must not be changed.
 *
 * @param peer identity of the caller: its handshake address
 * @param priority 0 to 7, as the caller chose
 * @param headers the caller's headers
 * @param payloadBytes of the one request; 0 of a stream of requests
 */
public record RequestOffer(String peer, int priority, byte[] headers, long payloadBytes) {}
