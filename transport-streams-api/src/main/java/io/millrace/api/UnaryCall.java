package io.millrace.api;

import io.millrace.transfer.CausalityToken;
import org.jspecify.annotations.Nullable;

/**
 * A call that a {@link UnaryHandler} answers; the handler owns the arrays.
 *
 * @param peer identity of the caller: its handshake address
 * @param priority 0 to 7, as the caller chose
 * @param headers the caller's headers
 * @param payload the request
 * @param token what names the call at this node, or null
 */
record UnaryCall(
    String peer, int priority, byte[] headers, byte[] payload, @Nullable CausalityToken token) {
  UnaryCall(String peer, int priority, byte[] headers, byte[] payload) {
    this(peer, priority, headers, payload, null);
  }
}
