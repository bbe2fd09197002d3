package io.millrace.api;

/**
 * A call that a {@link UnaryHandler} answers; the handler owns the arrays.
 *
 * @param peer identity of the caller: its handshake address
 * @param priority 0 to 7, as the caller chose
 * @param headers the caller's headers
 * @param payload the request
 */
record UnaryCall(String peer, int priority, byte[] headers, byte[] payload) {}
