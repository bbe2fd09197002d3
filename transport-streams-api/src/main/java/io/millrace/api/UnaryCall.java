package io.millrace.api;

import io.millrace.access.admission.Caller;
import io.millrace.transfer.CausalityToken;
import org.jspecify.annotations.Nullable;

/**
 * A call that a {@link UnaryHandler} answers; the handler owns the arrays.
 *
 * @param caller the peer that calls
 * @param priority 0 to 7, as the caller chose
 * @param headers the caller's headers
 * @param payload the request
 * @param token what names the call at this node, or null
 */
record UnaryCall(
    Caller caller, int priority, byte[] headers, byte[] payload, @Nullable CausalityToken token) {
  UnaryCall(Caller caller, int priority, byte[] headers, byte[] payload) {
    this(caller, priority, headers, payload, null);
  }

  /** Identity of the caller: its handshake address. */
  String peer() {
    return caller.peer();
  }
}
