package io.millrace.api;

/**
 * One request that a handler answers, decoded.
 *
 * @param peer identity of the caller: its handshake address
 * @param priority 0 to 7, as the caller chose
 * @param headers the caller's headers; the handler owns the array
 * @param value the request
 */
public record TypedCall<Q>(String peer, int priority, byte[] headers, Q value) {}
